// What a channel declares of itself, so that screens and functions can treat all channels alike. Its adapter is on the server.
import type { ErrorCode } from '#shared/errors.ts'

/**
 * What becomes of Markdown on its way to a customer. `entities`, `html`: a text with its formatting next to it or within it. `rendered`: it goes
 * as it is, and is shown formatted. `whatsapp`: the signs that WhatsApp knows. `plain`: words and addresses. `source`: it goes as it is, to a
 * program that makes of it what it likes.
 */
export type Markup = 'entities' | 'html' | 'rendered' | 'whatsapp' | 'plain' | 'source'

/** What customers get to see of an answer. */
export type Showing = {
  /** Characters of one message, UTF-16 units. */
  maxTextLength: number
  /** The same in bytes of UTF-8, where its provider counts those. */
  maxTextBytes?: number
  /** Choices can be pressed; elsewhere they are listed by number. */
  hasButtons: boolean
  markup: Markup
}

/** One value that a person enters. `isSecret`: it can be replaced by another when it has leaked, and stays the account's. */
export type EntryField = { name: string; pattern: RegExp; isSecret: boolean; isOptional?: true }

/** By what people and the provider know an account. */
type Account = { identifier: string; externalAccountId: string }

/** How a channel is connected whose accounts need nothing but values that a person copies from the provider's own pages. */
export type EntryForm = {
  /** In the order of the form; each at most ENTRY_MAX characters. */
  fields: readonly EntryField[]
  /** `itself`: the address is registered through the provider's API. `byHand`: a person enters the address in its dashboard, with a token. */
  pointing: 'itself' | 'byHand'
  /** Where a person finds what is asked for. */
  guideUrl: string
  /** What names a chat when a test message is sent. */
  chatPattern: RegExp
  /** Where a customer writes to an account; null: there is no such address. */
  chatUrl: ((account: Account) => string) | null
}

/** A channel. The contract tests compare what its adapter can do with what stands here. */
export type ChannelManifest = {
  /** What people call it, on screens and in exports. */
  name: { ru: string; en: string }
  /** Where it stands among the channels that are offered. */
  category: 'messenger' | 'social' | 'custom'
  /** What it costs in addition to Parley, or who else is paid for it. */
  cost: 'free' | 'greenApi' | 'meta' | 'provider'
  /** The step below `/channels` in the addresses of its pages. */
  path: string
  showing: Showing
  /** Files that a person of the team can send: all, those of types that match, or none. */
  files: 'all' | RegExp | 'none'
  /** For how long after a customer's last message they may be written to in free words, milliseconds; null: always. */
  replyWindowMs: number | null
  /** `webhooks`: its provider delivers under `/webhooks`, as most do. `own`: it has routes of its own. */
  door: 'webhooks' | 'own'
  /** Its provider keeps messages until they are asked for. Elsewhere nothing works without a public https address. */
  isPolled: boolean
  /** Connections take a paid slot of the plan each: telephone numbers. */
  takesSlot: boolean
  /** Where the id of a customer means the same person: on one connection, on all of this channel, or wherever people are known by their phone. */
  customerIds: 'connection' | 'channel' | 'phone'
  /** How an account is written: as its provider calls it, with an @ before it, or as a phone number. */
  accountName: 'plain' | 'at' | 'phone'
  /** What is answered when the account is connected already. */
  inUse: ErrorCode
  /** Null: its setup needs more than entering values, so that it has screens and functions of its own. */
  form: EntryForm | null
}

/** Longest value of a field of a form. */
export const ENTRY_MAX = 600
