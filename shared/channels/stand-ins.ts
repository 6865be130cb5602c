// A WhatsApp number that stands in for another: while that one may not send, its waiting conversations continue here.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { STAND_IN_NOTICE_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { connectionInput } from './channels.ts'

/** Choices for the delay before conversations move, minutes; the shortest is longer than an instance takes to restart. */
export const STAND_IN_MINUTES = [10, 15, 30, 60, 180, 720] as const

/** Input. `standInId` null: conversations wait until the number recovers. `notice` empty: the built-in text, in the customer's language. */
const standInSettings = z.strictObject({
  standInId: z.nullable(id('channelConnections')),
  afterMinutes: z.literal(STAND_IN_MINUTES),
  notice: z.string().check(z.trim(), z.maxLength(STAND_IN_NOTICE_MAX)),
})
export type StandInSettings = z.infer<typeof standInSettings>
export const saveStandInInput = z.extend(connectionInput, { settings: standInSettings })

/** The built-in text for customers, used unless the team has written its own. */
export const STAND_IN_NOTICE = {
  ru: 'Мы пишем с другого номера, потому что прежний временно недоступен. Отвечать можно сюда.',
  kk: 'Бұрынғы нөміріміз уақытша қолжетімсіз болғандықтан, сізге басқа нөмірден жазып отырмыз. Осында жауап бере аласыз.',
  en: 'We are writing from another number, because our usual one is temporarily unavailable. You can reply here.',
}

/**
 * GREEN-API reaches a person by phone number from every instance; one known only by a hidden id (LID) can be written to by one number only.
 */
export const REACHABLE_CHAT = /^\d+@c\.us$/

/**
 * Why waiting conversations do not move: the customer's number is hidden; a part may have been delivered already; the delay is not over.
 */
export type StandInWaiting = { hidden: number; uncertain: number; next: number }

/** A connection that can be chosen. `isReady`: it could send now. */
export type StandInChoice = {
  _id: Id<'channelConnections'>
  identifier: string
  externalAccountId: string
  isReady: boolean
}

/** A conversation that moved to another connection. */
export type Rerouted = { conversationId: Id<'conversations'>; customerName: string; at: number }

export type StandIn = {
  settings: StandInSettings
  choices: StandInChoice[]
  /** Since when the connection may not send; null: it may. Milliseconds. */
  frozenSince: number | null
  /** Conversations that wait for it. */
  waiting: StandInWaiting
  /** Number of conversations that have ever moved. */
  rerouted: number
  /** The latest of them, newest first. */
  latest: Rerouted[]
}
