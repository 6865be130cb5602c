// The picture of a channel.
import {
  Camera,
  type LucideIcon,
  MessageCircle,
  MessageCircleDashed,
  MessageCircleMore,
  MessagesSquare,
  Send,
  Tag,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { ConnectedChannel } from '#shared/channels/manifests.ts'

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
} as const satisfies Record<ConnectedChannel, LucideIcon>

/** For what draws it itself; that of the web chat for a channel that only a newer server knows. */
export function channelIcon(channel: ConnectedChannel): LucideIcon {
  return ICONS[channel] ?? MessagesSquare
}

/** Decorative: the channel's name stands next to it. */
export function ChannelIcon({ channel, className }: { channel: ConnectedChannel; className?: string }) {
  const Icon = channelIcon(channel)
  return <Icon aria-hidden="true" className={className} />
}
