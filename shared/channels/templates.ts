// Message templates: texts that a provider has approved, with placeholders. They may be sent when nothing else may.
import * as z from 'zod/mini'
import { TEMPLATE_WORDS_MAX, TEMPLATE_WORDS_TEXT_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

/** A placeholder. `key`: its number or name in the text; of a button, its index. */
export type TemplatePlace = { in: 'header' | 'body' | 'button'; key: string }

export type MessageTemplate = {
  name: string
  language: string
  category: string
  /** Placeholders are written `{{key}}` in texts. */
  header: string | null
  body: string
  footer: string | null
  /** Labels of its buttons. */
  buttons: string[]
  /** In the order of the message. */
  places: TemplatePlace[]
}

/** A template with its words, ready to send. */
export type ChosenTemplate = { name: string; language: string; words: (TemplatePlace & { text: string })[] }

const words = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(TEMPLATE_WORDS_TEXT_MAX), z.regex(/^(?!.* {5})[^\n\t]*$/))

export const conversationTemplatesInput = z.strictObject({ conversationId: id('conversations') })
/** `words`: in the order of the template's placeholders. */
export const sendTemplateInput = z.strictObject({
  conversationId: id('conversations'),
  name: z.string().check(z.minLength(1), z.maxLength(512)),
  language: z.string().check(z.minLength(1), z.maxLength(20)),
  words: z.array(words).check(z.maxLength(TEMPLATE_WORDS_MAX)),
})

/** Whether a word is valid for a placeholder: providers reject line breaks and runs of spaces. */
export function isTemplateLine(text: string): boolean {
  return !/\n|\t| {5}/.test(text)
}

/** The template with words in the order of its placeholders; null: their numbers differ. */
export function fill({ name, language, places }: MessageTemplate, words: string[]): ChosenTemplate | null {
  if (words.length !== places.length) return null
  return { name, language, words: places.map((place, index) => ({ ...place, text: words[index] ?? '' })) }
}

/** The text that the customer reads. Placeholders without a word stay unchanged. */
export function templateText({ header, body, footer }: MessageTemplate, words: ChosenTemplate['words']): string {
  const filled = (part: 'header' | 'body', text: string) =>
    text.replace(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g, (place, key: string) => {
      return words.find((word) => word.in === part && word.key === key)?.text || place
    })
  return [header && filled('header', header), filled('body', body), footer].filter(Boolean).join('\n\n')
}
