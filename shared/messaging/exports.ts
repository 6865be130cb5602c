// Exports of conversations: input, and the state that a client sees.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { isTimeZone, type Member } from '#shared/organizations/organizations.ts'
import { id } from '#shared/schema.ts'
import { conversationFilter, conversationIds } from './conversations.ts'

/** To be read, to be put into a document, for programs, for spreadsheets. */
export const EXPORT_FORMATS = ['txt', 'md', 'json', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
const LANGUAGES = ['ru', 'en'] as const
export type ExportLanguage = (typeof LANGUAGES)[number]

/** How the file is written: in the language and time zone of the requester. */
const manner = {
  format: z.enum(EXPORT_FORMATS),
  language: z.enum(LANGUAGES),
  timeZone: z.string().check(z.refine(isTimeZone)),
}
export const exportManner = z.strictObject(manner)
export type ExportManner = z.infer<typeof exportManner>

const exportedFilter = z.strictObject(conversationFilter)
export type ExportedFilter = z.infer<typeof exportedFilter>

/** Which conversations: those that pass the filter of the list, and of these only the chosen ones where some are chosen. */
const exportedSet = z.strictObject({ filter: exportedFilter, conversationIds: z.optional(conversationIds) })
export type ExportedSet = z.infer<typeof exportedSet>

export const createExportInput = z.strictObject({ ...exportedSet.shape, ...manner })
export const exportInput = z.strictObject({ exportId: id('exports') })

/**
 * waiting ─► running ─► ready     the file is there until `expiresAt`
 *    │          ├─────► failed
 *    └──────────┴─────► cancelled
 */
export type ExportStatus = 'waiting' | 'running' | 'ready' | 'failed' | 'cancelled'

export type Export = {
  _id: Id<'exports'>
  /** By which the file is saved. */
  name: string
  format: ExportFormat
  status: ExportStatus
  /** Conversations; `total` is null until they are counted. */
  done: number
  total: number | null
  sizeBytes: number | null
  /** Null when the account is gone. */
  author: Pick<Member, '_id' | 'name'> | null
  createdAt: number
  /** When the file is deleted; null while there is none. */
  expiresAt: number | null
}

/** An address of the file: for members of the organization, and only until then. */
export type ExportLink = { url: string; expiresAt: number }
