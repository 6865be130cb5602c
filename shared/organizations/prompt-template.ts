// The template of the installation: instructions that stand before every agent's own.
import * as z from 'zod/mini'
import { id, paginationOpts } from '#shared/schema.ts'

export const TEMPLATE_MAX = 10_000
/** What is replaced by the facts of a conversation, written `{{agent}}`. */
export const TEMPLATE_PLACEHOLDERS = ['agent', 'organization', 'channel'] as const
export type TemplatePlaceholder = (typeof TEMPLATE_PLACEHOLDERS)[number]
export type TemplateValues = Record<TemplatePlaceholder, string>

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

export const updateTemplateInput = z.strictObject({
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(TEMPLATE_MAX)),
})
export const templateVersionInput = z.strictObject({ number: z.number().check(z.int(), z.minimum(1)) })
export const listTemplateVersionsInput = z.strictObject({ paginationOpts })
export const previewTemplateInput = z.strictObject({
  text: z.string().check(z.maxLength(TEMPLATE_MAX)),
  agentId: id('agents'),
})

/** A version of the template; the newest is the one that is used. */
export type TemplateVersion = {
  number: number
  text: string
  /** Null: the account is gone. */
  author: string | null
  /** The version that it repeats; null: none. */
  restoredFrom: number | null
  createdAt: number
}

/** The names in double braces that stand for nothing, each once. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  return [...new Set(names)].filter((name) => !(TEMPLATE_PLACEHOLDERS as readonly string[]).includes(name))
}

/** The template with the facts of a conversation; unknown names stay as they are. */
export function fillTemplate(text: string, values: TemplateValues): string {
  const known = new Map<string, string>(Object.entries(values))
  return text.replace(PLACEHOLDER, (whole, name: string) => known.get(name.trim()) ?? whole)
}
