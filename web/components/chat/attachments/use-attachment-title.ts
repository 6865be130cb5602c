// The name of an attachment in words: channels have words of their own for some kinds.
import type { Attachment } from '#shared/messaging/attachments.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Kinds that channels name by a word of their own, by our word for each. */
const NAMED = {
  ...{ ad: 'ad', call: 'call', checklist: 'checklist', gift: 'gift', group_invite: 'group_invite', invoice: 'invoice' },
  ...{ money_transfer: 'money_transfer', order: 'order', poll: 'poll', pollMessage: 'poll', product: 'product' },
  ...{ post: 'post', ig_post: 'post', share: 'post', media: 'post', media_share: 'post', wall: 'post' },
  ...{ reel: 'reel', ig_reel: 'reel', clip: 'reel', story: 'story', ig_story: 'story', story_mention: 'story_mention' },
  ...{ successful_payment: 'successful_payment', refunded_payment: 'refunded_payment', market: 'product' },
  ...{ unsupported: 'unsupported', SWE001: 'unsupported', SWE002: 'unsupported', SWE999: 'unsupported' },
} as const
/** A name in a channel's protocol: names of files and titles have an extension, spaces or capitals. */
const PROTOCOL_NAME = /^[a-z][A-Za-z]*(?:_[a-z0-9]+)*$/

/** The name of a file, or what a channel has named in words. */
export function useAttachmentTitle({ kind, name }: Pick<Attachment, 'kind' | 'name'>): string {
  const { t } = useTranslation('conversations')
  if (name === null) return t(($) => $.attachment.kind[kind])
  const known = Object.hasOwn(NAMED, name) ? NAMED[name as keyof typeof NAMED] : undefined
  if (known) return t(($) => $.attachment.named[known])
  return kind === 'other' && PROTOCOL_NAME.test(name) ? t(($) => $.attachment.unknown, { name }) : name
}
