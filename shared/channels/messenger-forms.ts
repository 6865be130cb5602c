// The connection form of each messenger, and how each behaves. Screens and functions are shared by all of them; a new one needs an entry
// here, an adapter, and words.
import type { MessengerChannel } from './messengers.ts'

/** One form field. `isSecret`: it can be replaced after a leak without changing the account. */
export type MessengerField = { name: string; pattern: RegExp; isSecret: boolean; isOptional?: true }

/** How people and the provider identify an account. */
type Account = { identifier: string; externalAccountId: string }

/** A messenger as offered in the connection form. */
export type MessengerForm = {
  /** In the order of the form; each at most MESSENGER_ENTRY_MAX characters. */
  fields: readonly MessengerField[]
  /**
   * `itself`: we set the webhook address through the provider's API. `byHand`: a person enters the address in its dashboard, with a token.
   */
  pointing: 'itself' | 'byHand'
  /** It cannot be polled, so that it needs a public https address. */
  needsHttps: boolean
  kind: 'messenger' | 'social'
  /** Whether its provider charges for what is needed here. */
  cost: 'free' | 'provider'
  /** Where a person finds the values to enter. */
  guideUrl: string
  /** Format of the chat that a test message is sent to. */
  chatPattern: RegExp
  /** The link by which a customer writes to an account; null: there is none. */
  chatUrl: ((account: Account) => string) | null
}

/** Longest value of a field. */
export const MESSENGER_ENTRY_MAX = 600

export const MESSENGERS = {
  max: {
    fields: [{ name: 'token', pattern: /^[\w.~+/=-]{20,600}$/, isSecret: true }],
    pointing: 'itself',
    needsHttps: false,
    kind: 'messenger',
    cost: 'free',
    guideUrl: 'https://business.max.ru/self',
    chatPattern: /^(?:user:|-)?\d{1,19}$/,
    chatUrl: ({ identifier }) => `https://max.ru/${encodeURIComponent(identifier)}`,
  },
  vk: {
    fields: [{ name: 'token', pattern: /^[\w.-]{60,600}$/, isSecret: true }],
    pointing: 'itself',
    needsHttps: false,
    kind: 'social',
    cost: 'free',
    guideUrl: 'https://vk.com/groups?tab=admin',
    chatPattern: /^\d{1,15}$/,
    chatUrl: ({ identifier }) => `https://vk.me/${encodeURIComponent(identifier)}`,
  },
  avito: {
    // A new key of the account may have another id as well.
    fields: [
      { name: 'clientId', pattern: /^[\w-]{10,100}$/, isSecret: true },
      { name: 'clientSecret', pattern: /^[\w-]{20,200}$/, isSecret: true },
    ],
    pointing: 'itself',
    needsHttps: true,
    kind: 'social',
    cost: 'provider',
    guideUrl: 'https://www.avito.ru/professionals/api',
    chatPattern: /^[\w~-]{3,100}$/,
    // Customers write from an ad.
    chatUrl: null,
  },
  instagram: {
    fields: [
      { name: 'accessToken', pattern: /^IG[A-Za-z0-9_-]{30,590}$/, isSecret: true },
      { name: 'appSecret', pattern: /^[0-9a-fA-F]{32}$/, isSecret: true },
    ],
    pointing: 'byHand',
    needsHttps: true,
    kind: 'social',
    cost: 'free',
    guideUrl: 'https://developers.facebook.com/apps/',
    chatPattern: /^\d{5,25}$/,
    chatUrl: ({ identifier }) => `https://ig.me/m/${encodeURIComponent(identifier)}`,
  },
} as const satisfies Record<MessengerChannel, MessengerForm>

/** The form of a messenger, with the common type. */
export function messengerForm(channel: MessengerChannel): MessengerForm {
  return MESSENGERS[channel]
}

/**
 * The first invalid field of an entry: missing, unknown or malformed; null: all are valid.
 *
 * @param isChange omitted fields keep their value
 */
export function wrongField(
  channel: MessengerChannel,
  entered: Readonly<Record<string, string>>,
  isChange = false,
): string | null {
  const { fields } = messengerForm(channel)
  const unknown = Object.keys(entered).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return unknown
  const wrong = fields.find(({ name, pattern, isOptional }) => {
    const value = entered[name] ?? ''
    return value === '' ? !(isChange || isOptional) : !pattern.test(value)
  })
  return wrong?.name ?? null
}
