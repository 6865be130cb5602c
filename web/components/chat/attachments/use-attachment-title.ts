// The name of an attachment in words: channels have words of their own for some kinds.
import type { Attachment } from '#shared/messaging/attachments.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Our words, and what channels call the same. */
const NAMED = {
  ad: ['ad'],
  call: ['call'],
  checklist: ['checklist'],
  gift: ['gift'],
  group_invite: ['group_invite'],
  invoice: ['invoice'],
  money_transfer: ['money_transfer'],
  order: ['order'],
  poll: ['poll', 'pollMessage'],
  post: ['post', 'ig_post', 'share', 'media', 'media_share', 'wall'],
  product: ['product', 'market'],
  reel: ['reel', 'ig_reel', 'clip'],
  refunded_payment: ['refunded_payment'],
  story: ['story', 'ig_story'],
  story_mention: ['story_mention'],
  successful_payment: ['successful_payment'],
  unsupported: ['unsupported', 'SWE001', 'SWE002', 'SWE999'],
} satisfies Record<string, string[]>
const WORDS = Object.keys(NAMED) as (keyof typeof NAMED)[]
/** A name in a channel's protocol: names of files and titles have an extension, spaces or capitals. */
const PROTOCOL_NAME = /^[a-z][A-Za-z]*(?:_[a-z0-9]+)*$/

/** The name of a file, or what a channel has named in words. */
export function useAttachmentTitle({ kind, name }: Pick<Attachment, 'kind' | 'name'>): string {
  const { t } = useTranslation('conversations')
  if (name === null) return t(($) => $.attachment.kind[kind])
  const known = kind === 'document' ? undefined : WORDS.find((word) => NAMED[word].includes(name))
  if (known) return t(($) => $.attachment.named[known])
  return kind === 'other' && PROTOCOL_NAME.test(name) ? t(($) => $.attachment.unknown, { name }) : name
}
