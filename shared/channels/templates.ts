// Templates of messages: texts that a provider has approved, with places for words. They may be sent when nothing else may.
import * as z from 'zod/mini'
import { TEMPLATE_WORDS_MAX, TEMPLATE_WORDS_TEXT_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

/** A place for words. `key`: its number or name in the text; of a button, its index. */
export type TemplatePlace = { in: 'header' | 'body' | 'button'; key: string }

export type MessageTemplate = {
  name: string
  language: string
  category: string
  /** Places stand in texts as `{{key}}`. */
  header: string | null
  body: string
  footer: string | null
  /** What stands on its buttons. */
  buttons: string[]
  /** In the order of the message. */
  places: TemplatePlace[]
}

/** One with its words, as it is sent. */
export type ChosenTemplate = { name: string; language: string; words: (TemplatePlace & { text: string })[] }

const words = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(TEMPLATE_WORDS_TEXT_MAX), z.regex(/^(?!.* {5})[^\n\t]*$/))

export const conversationTemplatesInput = z.strictObject({ conversationId: id('conversations') })
/** `words`: in the order of the template's places. */
export const sendTemplateInput = z.strictObject({
  conversationId: id('conversations'),
  name: z.string().check(z.minLength(1), z.maxLength(512)),
  language: z.string().check(z.minLength(1), z.maxLength(20)),
  words: z.array(words).check(z.maxLength(TEMPLATE_WORDS_MAX)),
})

/** Whether it may be filled in: providers refuse breaks and runs of spaces. */
export function isTemplateLine(text: string): boolean {
  return !/\n|\t| {5}/.test(text)
}

/** The template with words in the order of its places; null: there are more or fewer. */
export function fill({ name, language, places }: MessageTemplate, words: string[]): ChosenTemplate | null {
  if (words.length !== places.length) return null
  return { name, language, words: places.map((place, index) => ({ ...place, text: words[index] ?? '' })) }
}

/** What the customer reads. Places without a word stay as they are. */
export function templateText({ header, body, footer }: MessageTemplate, words: ChosenTemplate['words']): string {
  const told = (part: 'header' | 'body', text: string) =>
    text.replace(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g, (place, key: string) => {
      return words.find((word) => word.in === part && word.key === key)?.text || place
    })
  return [header && told('header', header), told('body', body), footer].filter(Boolean).join('\n\n')
}
