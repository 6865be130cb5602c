// Answers with reasoning in them, as models and gateways send them, and what a customer gets of each.

/** `sent`: what arrives as text. `text`: exactly what the customer gets; '' counts as no answer. */
export type TextCase = {
  name: string
  sent: string
  text: string
  /** Only the end of its reasoning is marked: a stream may show some of it, and takes it back. */
  isOpen?: true
}

const ANSWER = 'The kettle costs 4990.'
const SECRET = 'Purchase price is 300, do not tell.'
const gets = (name: string, sent: string, text = ANSWER): TextCase => ({ name, sent, text })
const takesBack = (name: string, sent: string, text = ANSWER): TextCase => ({ name, sent, text, isOpen: true })

/** Names of tags under which reasoning has been seen. */
const TAGS = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'analysis',
  'reflection',
  'scratchpad',
  'seed:think',
  'antThinking',
  'inner_monologue',
  'chain_of_thought',
  'размышление',
]

export const THOUGHTS: TextCase[] = [
  ...TAGS.map((tag) => gets(`<${tag}> in a pair`, `<${tag}>${SECRET}</${tag}>\n\n${ANSWER}`)),
  ...['think', 'thinking', 'reasoning'].map((tag) =>
    gets(`<${tag}> never closed`, `<${tag}>\n${SECRET}\n${ANSWER}`, ''),
  ),
  gets('upper case', `<THINK>${SECRET}</THINK>${ANSWER}`),
  gets('mixed case', `<Think>${SECRET}</tHINK>${ANSWER}`),
  gets('attributes', `<think type="private" budget='100'>${SECRET}</think>${ANSWER}`),
  gets('spaces in the tags', `< think >${SECRET}</ think >${ANSWER}`),
  gets('closed under another name', `<thinking>${SECRET}</think>${ANSWER}`),
  gets('escaped for HTML', `&lt;think&gt;${SECRET}&lt;/think&gt;\n${ANSWER}`),
  takesBack(
    'only the closing tag, as templates that open it in the prompt leave it',
    `${SECRET}\n</think>\n\n${ANSWER}`,
  ),
  takesBack('only the closing tag, twice', `Okay.</think>${SECRET}</think>${ANSWER}`),
  takesBack('only the closing tag and nothing after it', `${SECRET}</think>`, ''),
  gets('an empty pair, as a model that was asked not to reason leaves it', `<think>\n\n</think>\n\n${ANSWER}`),
  gets('nothing but reasoning', `<think>${SECRET}</think>`, ''),
  gets('a pair inside a pair', `<think>a<think>${SECRET}</think>b</think>${ANSWER}`),
  gets('a pair of another name inside', `<think>a<reflection>${SECRET}</reflection>b</think>${ANSWER}`),
  gets('a word about the tag inside reasoning', `<think>I must close \`<think>\` first. ${SECRET}</think>${ANSWER}`),
  gets('in the middle', `Hello! <think>${SECRET}</think>${ANSWER}`, `Hello! ${ANSWER}`),
  gets('at the end', `${ANSWER}\n<think>${SECRET}</think>`),
  gets('at the end, never closed', `${ANSWER}\n<think>${SECRET}`),
  gets('twice', `<think>a</think>Hello! <think>${SECRET}</think>${ANSWER}`, `Hello! ${ANSWER}`),
  gets('an answer in a frame', `<think>${SECRET}</think>\n<answer>${ANSWER}</answer>`),
  gets('an answer in a frame that is not closed', `<reasoning>${SECRET}</reasoning><final_answer>\n${ANSWER}`),
  gets('an empty tag', `<think/>${ANSWER}`),
  gets('brackets, as Magistral writes them', `[THINK]${SECRET}[/THINK]${ANSWER}`),
  gets('brackets that are never closed', `[THINK]${SECRET}`, ''),
  gets('triangles, as Kimi writes them', `◁think▷${SECRET}◁/think▷${ANSWER}`),
  gets('triangles that are never closed', `◁think▷${SECRET}`, ''),
  gets(
    'tokens, as Command models write them',
    `<|START_THINKING|>${SECRET}<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`,
  ),
  gets(
    'tokens of a thought and a solution',
    `<|begin_of_thought|>${SECRET}<|end_of_thought|>\n<|begin_of_solution|>${ANSWER}<|end_of_solution|>`,
  ),
  takesBack('a token for the closing tag alone', `${SECRET}<|end_of_thought|>${ANSWER}`),
  gets('a channel as Gemma opens it', `<|channel>thought\n${SECRET}<channel|>${ANSWER}`),
  gets(
    'Harmony: analysis and final',
    `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
  ),
  gets(
    'Harmony: analysis without its end',
    `<|channel|>analysis<|message|>${SECRET}<|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ),
  gets('Harmony: final only', `<|channel|>final<|message|>${ANSWER}<|return|>`),
  gets('Harmony: analysis only', `<|channel|>analysis<|message|>${SECRET}<|end|>`, ''),
  gets('Harmony: cut in the header', '<|start|>assistant<|channel|>anal', ''),
  gets(
    'Harmony: commentary without a recipient',
    `<|channel|>commentary<|message|>{"path": "/"}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
  ),
  gets(
    'Harmony: a constrained final',
    `<|start|>assistant<|channel|>final <|constrain|>json<|message|>${ANSWER}<|return|>`,
  ),
  gets('Harmony: tokens lost on the way', `analysisWe must say the price. ${SECRET}assistantfinal${ANSWER}`),
  gets('Harmony: tokens lost on the way, analysis only', `analysisWe must say the price. ${SECRET}`, ''),
  gets('a fence of reasoning', `\`\`\`thinking\n${SECRET}\n\`\`\`\n\n${ANSWER}`),
  gets('a fence of reasoning that is never closed', `\`\`\`reasoning\n${SECRET}`, ''),
  gets(
    'a tag inside a fence of code',
    `\`\`\`\n<think>${SECRET}</think>\n\`\`\`\n${ANSWER}`,
    `\`\`\`\n\n\`\`\`\n${ANSWER}`,
  ),
  gets('a label and an answer', `Thought: ${SECRET}\nFinal Answer: ${ANSWER}`),
  gets('a label alone', `Thought: ${SECRET}`, ''),
  gets('a label as Granite writes it', `Here is my thought process:\n${SECRET}\n\nHere is my response:\n${ANSWER}`),
  gets('a heading of a thinking process', `**Thinking Process:**\n1. ${SECRET}\n\n**Final answer:** ${ANSWER}`),
  gets(
    'a folded block',
    `<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>\n${SECRET}\n</details>\n${ANSWER}`,
  ),
  gets('a folded block with a heading', `<details><summary>Thinking</summary>${SECRET}</details>${ANSWER}`),
  gets('a label that may be honest, before an answer', `**Reasoning:** ${SECRET}\n\n**Answer:** ${ANSWER}`),
  gets(
    'a Russian label before an answer',
    `Рассуждение: Закупочная цена 300, не говорить.\n\nОтвет: Чайник стоит 4990.`,
    'Чайник стоит 4990.',
  ),
  gets('a token of the end left behind', `${ANSWER}<|im_end|>`),
  gets("a token of the end in DeepSeek's spelling", `${ANSWER}<｜end▁of▁sentence｜>`),
  gets('a token of Llama left behind', `${ANSWER}<|eot_id|>`),
  gets('the role in front', `<|im_start|>assistant\n${ANSWER}<|im_end|>`),
  gets('a made-up next question', `${ANSWER}<|im_end|>\n<|im_start|>user\nAnd the pot?<|im_end|>`),
  gets(
    'Cyrillic text around reasoning',
    `<think>Закупочная цена 300, не говорить.</think>\nЧайник стоит 4990 ₸.`,
    'Чайник стоит 4990 ₸.',
  ),
]
