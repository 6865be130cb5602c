// The marks by which models set off what is not part of an answer: reasoning, tool calls, control tokens. Patterns only.

/** Names under which models write down their reasoning, as they stand in tags, control tokens and fences. */
const THOUGHT_WORD =
  '(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflect(?:ion)?|scratch[_-]?pad|monologue|cot|chain[_-]of[_-]thoughts?|deliberation|rationale|размышлени[ея]|мысл[ьи]|рассуждени[ея])'
/** With what may stand around them: `seed:think`, `inner_thoughts`, `antThinking`, `thinking_process`. */
const THOUGHT_NAME = `(?:[a-z][\\w.-]*:)?(?:[a-z]+_)*(?:ant)?${THOUGHT_WORD}(?:_[a-z]+)*\\d*`
/** Names of tags around a tool call, or around its invented result. */
const CALL_NAME =
  '(?:[a-z][\\w.-]*:)?(?:tool[_-]?calls?|function[_-]?calls?|tool[_-]?code|tool[_-]?use|use[_-]tool|execute[_-]tool|call[_-]tool|tool[_-]?request|invoke|function)'
const RESULT_NAME =
  '(?:[a-z][\\w.-]*:)?(?:tool[_-]?(?:response|result|output)s?|function[_-]?(?:response|result|output)s?|observation)'
const LT = '(?:<|&lt;)'
const GT = '(?:>|&gt;)'

/** A control token, `<|name|>` in any of its spellings. */
const TOKEN = '<[|｜]\\s?(\\/?[\\w▁/ -]{1,40}?)\\s?(?:[|｜]>|>)|<(\\/?[\\w]{1,30})[|｜]>'

const OPENERS = {
  /** Opening, closing or empty tag of reasoning. */
  thoughtTag: `${LT}\\s?(\\/?)\\s?(?:${THOUGHT_NAME})(?:\\s[^<>]*?)?\\s?(\\/?)${GT}`,
  thoughtBracket: '\\[(\\/?)(?:THINK(?:ING)?|[Tt]hink(?:ing)?|REASONING|THOUGHTS?)\\]|◁(\\/?)think(?:ing)?▷',
  callTag: `${LT}(?:${CALL_NAME})(?:=[^<>\\n]*|\\s[^<>]*)?${GT}`,
  callCloser: `${LT}\\/\\s?(?:${CALL_NAME}|${RESULT_NAME}|parameters?|arguments)\\s?${GT}`,
  resultTag: `${LT}(?:${RESULT_NAME})(?:\\s[^<>]*)?${GT}`,
  callBracket:
    '\\[(?:TOOL_CALLS?|tool_calls?|FUNCTION_CALLS?)\\]|\\[(?:Calling|Called|Call|Using) (?:tool|function):?\\s|\\[(?:tool|function)_call:\\s?|◁tool_calls?▷',
  detailsTag:
    '<details(?:\\s[^<>]*type=["\']?reasoning[^<>]*>|[^<>]*>\\s*<summary>\\s*(?:thoughts?|thinking|reasoning)\\b[^<]*<\\/summary>)',
  resultBracket: '\\[TOOL_RESULTS?\\]',
  token: TOKEN,
  fence: '(?<=^|\\n)[ \\t]*(```+|~~~+)[ \\t]*([^\\n`]*)(?:\\n|$)',
  json: '[{[]\\s*(?:[{[]\\s*){0,2}["\'](?:name|function|tool|tool_name|action|type|tool_calls|tool_uses|function_call|arguments|parameters|recipient_name)["\']\\s*:',
  action: '(?<=^|\\n)[ \\t*]*Action[*]*:[*]*[ \\t]*([\\w.-]+)[^\\n]*\\n+[ \\t*]*Action Input[*]*:',
} as const

export type Opener = keyof typeof OPENERS

const ENTRIES = Object.entries(OPENERS).map(([kind, source]) => ({
  kind: kind as Opener,
  pattern: new RegExp(source, kind === 'action' || kind.endsWith('Bracket') ? 'gu' : 'giu'),
}))

/** What opens next, and where. `groups`: what its pattern has captured. */
export type Found = { kind: Opener; index: number; end: number; text: string; groups: (string | undefined)[] }

/** The first mark at or after a position; the longer one where two begin together. Undefined: none. */
export function nextMark(text: string, from: number, kinds: (kind: Opener) => boolean): Found | undefined {
  let first: Found | undefined
  for (const { kind, pattern } of ENTRIES) {
    if (!kinds(kind)) continue
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (!match || (first && match.index >= first.index)) continue
    const [found, ...groups] = match
    first = { kind, index: match.index, end: match.index + found.length, text: found, groups }
  }
  return first
}

/** What a control token stands for. `drop`: nothing to read. Undefined: it is no token that is known. */
export type TokenMeaning = 'thought' | 'endThought' | 'call' | 'role' | 'header' | 'message' | 'drop'

const THOUGHT_TOKEN = new RegExp(`^(?:start_|begin_of_|begin_)?${THOUGHT_WORD}(?:_start|_begin)?$`, 'iu')
const END_THOUGHT_TOKEN = new RegExp(`^(?:\\/|end_of_|end_)${THOUGHT_WORD}$|^${THOUGHT_WORD}_end$`, 'iu')
const CALL_TOKEN =
  /^(?:python_tag|plugin|action_start|start_action|tool_calls?|function_calls?|tool_calls?_begin|tool_calls_section_begin|tool_call_begin|tool_call_start|tool_use)$/i
const DROP_TOKEN =
  /^(?:\/?(?:call|return|end|end_of_turn|end_of_text|endoftext|begin_of_text|eot_id|eom_id|eos|bos|im_end|end_of_sentence|begin_of_sentence|assistant|final|end_of_middle|start_response|end_response|start_of_turn|begin_of_solution|end_of_solution|constrain|tool_calls_section_end|tool_calls?_end|tool_call_argument_begin|tool_sep|end_action|separator|sep|eot|channel_end|answer))$/i

export function meaningOf(token: string): TokenMeaning | undefined {
  const name = token.trim().replaceAll('▁', '_').replaceAll(' ', '_')
  if (THOUGHT_TOKEN.test(name)) return 'thought'
  if (END_THOUGHT_TOKEN.test(name)) return 'endThought'
  if (CALL_TOKEN.test(name)) return 'call'
  if (/^(?:start|im_start|start_header_id)$/i.test(name)) return 'role'
  if (/^(?:channel)$/i.test(name)) return 'header'
  if (/^(?:message|end_header_id)$/i.test(name)) return 'message'
  return DROP_TOKEN.test(name) ? 'drop' : undefined
}

/** Fences whose whole content is reasoning, and those whose whole content is a tool call. */
export const THOUGHT_FENCE = new RegExp(`^${THOUGHT_NAME}$`, 'iu')
export const CALL_FENCE = /^(?:tool[_-]?(?:calls?|code|use|request)?|function[_-]?calls?|function|tools)$/i
/** Fences that hold a call when all that stands in them is one. */
export const MAYBE_CALL_FENCE = /^(?:json5?|jsonc|javascript|js|python|py|xml|text|txt|plaintext)?$/i

/** The end of a text that may be the beginning of a mark, each tried from its first character. */
const PARTIAL = [
  /^<[^<>\n]{0,160}$/u,
  /^<details[^<>]*>\s*(?:<[^<>]{0,40}(?:>[^<>]{0,60}(?:<[^<>]{0,20})?)?)?$/iu,
  /^&(?:l(?:t(?:;[^&\n]{0,160})?)?)?(?:&(?:g(?:t)?)?)?$/u,
  /^\[[^\]\n]{0,60}$/u,
  /^◁[^▷\n]{0,30}$/u,
  /^[{[][\s{["']*(?:[a-z_]{1,20}["']?)?\s*$/iu,
]
const FIRST_CHARACTERS = '<&[◁{'
const PARTIAL_MAX = 170
const PARTIAL_LINE =
  /(?:^|\n)([ \t]*(?:[`~]{1,2}|(?:```+|~~~+)[^\n`]*|[*]*A(?:c(?:t(?:i(?:o(?:n(?:[*]*:[^\n]*(?:\n+[ \t*]*[A-Za-z :]{0,14})?)?)?)?)?)?)?))$/u

/** From where on a text must wait, because what follows may make a mark of it; its length when nothing must. */
export function heldFrom(text: string, from: number): number {
  const start = Math.max(from, text.length - PARTIAL_MAX)
  const line = PARTIAL_LINE.exec(text.slice(start))
  const lineAt = line ? start + line.index + line[0].length - (line[1]?.length ?? 0) : text.length
  for (let at = start; at < lineAt; at++) {
    if (!FIRST_CHARACTERS.includes(text.charAt(at))) continue
    const rest = text.slice(at)
    if (PARTIAL.some((pattern) => pattern.test(rest))) return at
  }
  return lineAt
}

/** Reasoning without marks of its own at the beginning of an answer: control tokens that were lost on the way, or a label in words. */
export const BARE_CHANNEL = /^\s*(?:assistant)?(?:analysis(?=[\p{Lu}"'*\d])|commentary(?=\s*to=))/u
export const BARE_FINAL = /assistant\s?(?:commentary)?final(?=\S)|(?<=[.!?"]\s?)final(?=\p{Lu})/u
export const LABEL =
  /^[\s*_#>]*(?:thoughts?|thinking process|my thought process|here(?:['’]s| is) (?:my |a |the )?(?:thinking|thought|reasoning) process)\b[*_]*\s*:/iu
/** Labels that an honest answer may begin with too: only what stands before a labelled answer is reasoning. */
export const HONEST_LABEL =
  /^[\s*_#>]*(?:(?:internal )?reasoning|analysis|chain of thought|рассуждени[ея]|размышлени[ея]|мысли|ход мыслей)[*_]*\s*:/iu
export const LABELLED_ANSWER =
  /(?:^|\n)[ \t*_#]*(?:final answer|answer|final response|response|here(?:['’]s| is) my (?:final )?(?:response|answer)|ответ|итоговый ответ)[*_]*\s*:[*_]*[ \t]*/iu
const BEGINNINGS = [
  'assistantanalysis',
  'analysis',
  'commentary',
  'thoughts',
  'thinking process:',
  'my thought process:',
  'here is my thought process:',
  "here's my thought process:",
  'reasoning:',
  'internal reasoning:',
  'analysis:',
  'chain of thought:',
  'рассуждение:',
  'рассуждения:',
  'размышление:',
  'размышления:',
  'мысли:',
  'ход мыслей:',
]

/** Whether an answer that begins so may still turn out to be bare reasoning. */
export function mayBecomeBare(text: string): boolean {
  const begun = text.replace(/^[\s*_#>]+/u, '').toLowerCase()
  return BEGINNINGS.some(
    (beginning) => beginning.startsWith(begun) || (begun.length < beginning.length + 2 && begun.startsWith(beginning)),
  )
}
