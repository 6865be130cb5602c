// Views of the inbox that are kept under a name: filters, order and words, as the address of the page holds them.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { INBOX_VIEW_NAME_MAX, INBOX_VIEW_QUERY_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

const viewId = id('inboxViews')
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(INBOX_VIEW_NAME_MAX))
/** Only the reader knows which parts are valid; the rest is ignored, as in an address. */
const query = z.string().check(z.minLength(2), z.maxLength(INBOX_VIEW_QUERY_MAX), z.regex(/^\?/))

const content = { name, isShared: z.boolean() }

export const viewContent = z.strictObject(content)
export const createViewInput = z.strictObject({ query, ...content })
export const updateViewInput = z.strictObject({ viewId, ...content })
export const viewInput = z.strictObject({ viewId })
/** Null: none. */
export const setDefaultViewInput = z.strictObject({ viewId: z.nullable(viewId) })

export type InboxView = {
  _id: Id<'inboxViews'>
  name: string
  /** The query of the address, such as `?status=paused&sort=waiting`. */
  query: string
  /** The organization's; else the reader's own. */
  isShared: boolean
  /** With this one the reader's inbox opens. */
  isDefault: boolean
}
