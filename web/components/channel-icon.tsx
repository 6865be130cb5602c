// The picture of a channel.
import {
  Camera,
  MessageCircle,
  MessageCircleDashed,
  MessageCircleMore,
  MessagesSquare,
  Send,
  Tag,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { ChannelConnection } from '#shared/channels/channels.ts'

const ICONS = {
  telegram: Send,
  whatsapp: MessageCircle,
  whatsappCloud: MessageCircleMore,
  max: MessageCircleDashed,
  vk: UsersRound,
  avito: Tag,
  instagram: Camera,
  http: Webhook,
  webchat: MessagesSquare,
} as const

/** Decorative: the channel's name stands next to it. */
export function ChannelIcon({ channel, className }: { channel: ChannelConnection['channel']; className?: string }) {
  const Icon = ICONS[channel] ?? MessagesSquare // a channel that only a newer server knows
  return <Icon aria-hidden="true" className={className} />
}
