// The built-in model `parley-extractive`: needs no key and no network. It understands nothing; it quotes the sentences of the
// passages that share most with the question and says where they stand, or says that it does not know.
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { type AnswerLanguage, answerLanguageFor } from '../language.ts'
import type { ChatMessage, GenerateRequest, Generation, ModelCall, Passage } from '../llm.ts'
import { pagesOf } from '../pages.ts'
import { PRICE_VERSION } from '../registry.ts'
import { type AnswerSentence, pickAnswer } from './extractive-pick.ts'
import { smallTalk } from './extractive-small-talk.ts'
import { answerFromTables } from './extractive-tables.ts'
import { EXTRACTIVE_TEXTS } from './extractive-texts.ts'

/** Answers from the passages alone. @throws the signal's reason when the caller aborts */
export async function generateExtractive(request: GenerateRequest): Promise<Generation> {
  const startedAt = performance.now()
  let firstTokenMs: number | null = null
  const account = (): ModelCall => ({
    provider: 'parley',
    model: EXTRACTIVE_MODEL,
    inputTokens: 0,
    outputTokens: 0,
    costMicroUsd: 0,
    priceVersion: PRICE_VERSION,
    latencyMs: Math.round(performance.now() - startedAt),
    firstTokenMs,
  })
  try {
    const { text, usedPassageIds } = await composeAnswer(request)
    for (const word of text.match(/\S+\s*/g) ?? []) {
      request.signal.throwIfAborted()
      firstTokenMs ??= Math.round(performance.now() - startedAt)
      request.onText?.(word)
    }
    return { text, call: account(), usedPassageIds }
  } finally {
    request.onCall?.(account())
  }
}

type Composed = { text: string; usedPassageIds: string[] }

/** The whole answer with the passages it quotes. */
async function composeAnswer(request: GenerateRequest): Promise<Composed> {
  const { latest, earlier } = readQuestion(request.messages)
  const question = withoutCommands(latest)
  const languageOver = (quoted?: string) => answerLanguageFor(question, { earlier, tag: request.language, quoted })
  const language = languageOver()
  if (question === '' && latest !== '') return plain(EXTRACTIVE_TEXTS[language].command)
  if (!/[\p{L}\p{N}]/u.test(question)) return plain(EXTRACTIVE_TEXTS[language].noQuestion)
  const courtesy = smallTalk(question, language)
  if (courtesy) return plain(courtesy)
  const computed = await answerFromTables(question, request, language)
  if (computed === 'declined')
    return plain(await insteadOfAnswer(request, language, EXTRACTIVE_TEXTS[language].uncounted))
  if (computed) return plain(computed.text)
  const sentences = request.isWeakEvidence ? [] : pickAnswer(question, request.passages)
  if (sentences.length === 0) return plain(await insteadOfAnswer(request, languageOver(request.passages[0]?.text)))
  return quote(sentences, languageOver(sentences.map(({ text }) => text).join(' ')))
}

/** Does what the organization wants done when nothing was found. */
async function insteadOfAnswer(
  { whenWeak, tools, signal }: GenerateRequest,
  language: AnswerLanguage,
  refusal?: string,
): Promise<string> {
  const { unclear, handedOff } = EXTRACTIVE_TEXTS[language]
  const unknown = refusal ?? EXTRACTIVE_TEXTS[language].unknown
  const handOff = tools.find((tool) => tool.name === 'hand_off')
  if (whenWeak === 'handoff' && handOff) {
    await handOff.run({ reason: 'missing_knowledge' }, signal)
    return handedOff
  }
  return whenWeak === 'clarify' && refusal === undefined ? unclear : unknown
}

function plain(text: string): Composed {
  return { text, usedPassageIds: [] }
}

/** The customer's messages since the last reply, joined, and those before it, oldest first. */
function readQuestion(messages: ChatMessage[]): { latest: string; earlier: string[] } {
  const lastReply = messages.findLastIndex((message) => message.role === 'assistant')
  const isCustomer = ({ role, isColleague }: ChatMessage) => role === 'user' && !isColleague
  const textsOf = (part: ChatMessage[]) => part.filter(isCustomer).map(({ text }) => text)
  const latest = textsOf(messages.slice(lastReply + 1))
  return { latest: latest.join('\n').trim(), earlier: textsOf(messages.slice(0, lastReply + 1)) }
}

/** Lines such as `/catalog`, which messengers offer and which ask for nothing in words. */
function withoutCommands(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*\/[a-z]\w*(@\w+)?(\s|$)/i.test(line))
  return lines.join('\n').trim()
}

/** Sentences grouped by passage, each group in quotation marks with its source below. */
function quote(sentences: AnswerSentence[], language: AnswerLanguage): Composed {
  const { quotes, source, page } = EXTRACTIVE_TEXTS[language]
  const passages: Passage[] = [...new Set(sentences.map((sentence) => sentence.passage))]
  const blocks = passages.map((passage) => {
    const text = sentences
      .filter((sentence) => sentence.passage === passage)
      .map((sentence) => sentence.lead + sentence.text)
    const pages = pagesOf(passage)
    const where = pages === null ? '' : `, ${page} ${pages}`
    return `${quotes[0]}${text.join('').trim()}${quotes[1]}\n${source}: ${passage.source}${where}`
  })
  return { text: blocks.join('\n\n'), usedPassageIds: passages.map((passage) => passage.id) }
}
