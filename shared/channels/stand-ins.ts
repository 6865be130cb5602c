// A WhatsApp number that stands in for another one: while that may not send, conversations that wait on it go on from here.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { STAND_IN_NOTICE_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { connectionInput } from './channels.ts'

/** After how many minutes a conversation goes on elsewhere; the shortest is longer than an instance takes to restart. */
export const STAND_IN_MINUTES = [10, 15, 30, 60, 180, 720] as const

/** What a person sets. `standInId` null: conversations wait until the number is well. `notice` empty: words of ours, in the customer's language. */
const standInSettings = z.strictObject({
  standInId: z.nullable(id('channelConnections')),
  afterMinutes: z.literal(STAND_IN_MINUTES),
  notice: z.string().check(z.trim(), z.maxLength(STAND_IN_NOTICE_MAX)),
})
export type StandInSettings = z.infer<typeof standInSettings>
export const saveStandInInput = z.extend(connectionInput, { settings: standInSettings })

/** What customers are told where the team has not put it into words of its own. */
export const STAND_IN_NOTICE = {
  ru: 'Мы пишем с другого номера, потому что прежний временно недоступен. Отвечать можно сюда.',
  kk: 'Бұрынғы нөміріміз уақытша қолжетімсіз болғандықтан, сізге басқа нөмірден жазып отырмыз. Осында жауап бере аласыз.',
  en: 'We are writing from another number, because our usual one is temporarily unavailable. You can reply here.',
}

/** By its number GREEN-API reaches a person from every instance; who is known by a hidden id (LID) can be written to by one number only. */
export const REACHABLE_CHAT = /^\d+@c\.us$/

/** Why conversations that wait do not go on elsewhere: the customer's number is hidden; something may have arrived already; they may, soon. */
export type StandInWaiting = { hidden: number; uncertain: number; next: number }

/** A connection that may be chosen. `isReady`: it could send now. */
export type StandInChoice = {
  _id: Id<'channelConnections'>
  identifier: string
  externalAccountId: string
  isReady: boolean
}

/** A conversation that went on elsewhere. */
export type Rerouted = { conversationId: Id<'conversations'>; customerName: string; at: number }

export type StandIn = {
  settings: StandInSettings
  choices: StandInChoice[]
  /** Since when the connection may not send; null: it may. Milliseconds. */
  frozenSince: number | null
  /** Conversations that wait for it. */
  waiting: StandInWaiting
  /** Conversations that went on elsewhere, ever. */
  rerouted: number
  /** The latest of them, newest first. */
  latest: Rerouted[]
}
