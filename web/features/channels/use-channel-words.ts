// What a channel and its connections are called on screens. Messengers have most words in common, so theirs stand elsewhere.

import type { Channel } from '#shared/channels/channels.ts'
import { channelName, isMessenger } from '#shared/channels/manifests.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'

/** Of its card, which says how many connections there are, and of its list. */
type ChannelWords = Record<
  'title' | 'body' | 'connect' | 'count' | 'subtitle' | 'emptyTitle' | 'emptyBody' | 'listLabel',
  string
>

/** @returns the words of one channel, with so many connections */
export function useChannelWords(): (channel: Exclude<Channel, 'test'>, count?: number) => ChannelWords {
  const { t } = useTranslation('channels')
  return (channel, count = 0) => {
    const title = channelName(channel, currentLanguage())
    if (!isMessenger(channel)) {
      return {
        title,
        body: t(($) => $.list.body[channel]),
        connect: t(($) => $.list.connect[channel]),
        count: t(($) => $.list.count[channel], { count }),
        subtitle: t(($) => $[channel].subtitle),
        emptyTitle: t(($) => $[channel].emptyTitle),
        emptyBody: t(($) => $[channel].emptyBody),
        listLabel: t(($) => $[channel].listLabel),
      }
    }
    return {
      title,
      body: t(($) => $.messengers[channel].body),
      connect: t(($) => $.messenger.connect),
      count: t(($) => $.messenger.count, { count }),
      subtitle: t(($) => $.messenger.subtitle, { name: title }),
      emptyTitle: t(($) => $.messenger.emptyTitle),
      emptyBody: t(($) => $.messengers[channel].emptyBody),
      listLabel: t(($) => $.messenger.listLabel),
    }
  }
}
