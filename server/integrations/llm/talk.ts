// The prompt of one answer while it is made: with less of the conversation where that is too long, and with what was called and asked since.
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { GenerateRequest } from './llm.ts'
import { buildPrompt } from './prompt.ts'

/** Times that a conversation is halved for one answer. */
const HALVINGS = 4

export interface Talk {
  readonly fence: string
  prompt(): LanguageModelV4Prompt
  /** Steps of the model and results of tools, or words of ours. */
  add(...messages: LanguageModelV4Prompt): void
  /** Leaves out half of the conversation, else half of the passages. @returns false: there is nothing to leave out */
  halve(): boolean
}

/** Begins with the prompt of a request. */
export function startTalk(request: GenerateRequest): Talk {
  let asked = request
  let halvings = 0
  const { messages, fence } = buildPrompt(request)
  let head = messages
  const since: LanguageModelV4Prompt = []
  return {
    fence,
    prompt: () => [...head, ...since],
    add: (...more) => void since.push(...more),
    halve() {
      const less = halvings < HALVINGS ? halved(asked) : null
      if (!less) return false
      halvings += 1
      asked = less
      head = buildPrompt(asked, fence).messages
      return true
    },
  }
}

/** The newer half of a conversation, with half of the passages and of what comes with it; null: only the question is left. */
function halved(request: GenerateRequest): GenerateRequest | null {
  const { messages, passages, data = [] } = request
  const kept = messages.slice(-Math.max(1, Math.floor(messages.length / 2)))
  const question = kept.at(-1)
  if (kept.length < messages.length) return { ...request, messages: kept }
  if (passages.length > 1) return { ...request, passages: passages.slice(0, Math.ceil(passages.length / 2)) }
  if (data.length > 0 || question?.data?.length)
    return { ...request, data: [], messages: kept.map(({ data: _, ...message }) => message) }
  return null
}

/** What a model is asked after an answer of which nothing was left. */
export const ASK_AGAIN =
  'Nothing of the last reply could be used: it was empty. Write the reply itself now, in plain words, without tool calls written as text and without describing how it is found.'
/** … after one that was cut behind a whole sentence. */
export const GO_ON =
  'The reply was cut off there. Write only what comes after it, without repeating anything, and end it within a few sentences.'
/** … after one that was cut before it had one. */
export const BE_SHORT =
  'The reply was cut off because it was too long. Write it again, whole, in at most three short sentences.'

/** Words of ours in the conversation. */
export function ask(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** What the model has written so far. */
export function written(text: string): LanguageModelV4Prompt[number] {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}
