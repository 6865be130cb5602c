// Plans, what an organization uses of its own, and its request to change or cancel it.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'

/** Characters of what is written to the sales team. */
export const PLAN_NOTE_MAX = 1000

const noteText = z.string().check(z.trim(), z.maxLength(PLAN_NOTE_MAX))
const note = z.optional(noteText)

/** What a person writes to the sales team along with a request. */
export const planNoteForm = z.object({ note: noteText })

export const requestChangeInput = z.strictObject({ planSlug: z.string().check(z.maxLength(100)), note })
export const requestCancellationInput = z.strictObject({ reason: note })

/** In which prices of plans can be, as ISO 4217 names them. */
export const CURRENCIES = [
  'KZT',
  'RUB',
  'USD',
  'EUR',
  'BYN',
  'KGS',
  'UZS',
  'AMD',
  'GEL',
  'AZN',
  'TRY',
  'CNY',
  'GBP',
] as const
export type Currency = (typeof CURRENCIES)[number]

/** What a plan holds. Null: unlimited; for a price: by agreement. */
export type Plan = {
  slug: string
  name: string
  /** Whole units of the currency a month. */
  price: number | null
  currency: Currency
  /** Messages a month. */
  messages: number | null
  members: number | null
  /** Connections of channels that take a paid slot. */
  channelSlots: number | null
  features: { ru: string[]; en: string[] }
}

/** `used` may lie above `allowed` after a change of plan: nothing is taken away, and nothing new is let in. */
export type PlanUse = { used: number; allowed: number | null }

export type PlanRequest = {
  _id: Id<'planRequests'>
  kind: 'change' | 'cancellation'
  /** Null for a cancellation. */
  plan: { slug: string; name: string } | null
  note: string
  /** Name of who asked; null when the account is gone. */
  requestedBy: string | null
  createdAt: number
}

/** `own` null: no plan, which shows as "parking", and no limits but the organization's own. */
export type PlanOverview = {
  own: Plan | null
  /** Messages a month that the organization may send: its own limit, or the plan's. */
  allowance: number | null
  members: PlanUse
  channelSlots: PlanUse
  /** Those that can be chosen, in order, the own one included. */
  plans: Plan[]
  /** The open request. */
  request: PlanRequest | null
}
