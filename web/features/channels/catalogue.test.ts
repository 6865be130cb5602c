// Which channels are offered, and under what.
import { expect, it } from 'vitest'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { MESSENGER_CHANNELS } from '#shared/channels/messengers.ts'
import { CATEGORIES, channelsOf } from './catalogue.ts'

it('every channel stands under all and under one kind', () => {
  const all = channelsOf('all').map(({ channel }) => channel)
  const byKind = CATEGORIES.filter((each) => each !== 'all').flatMap((each) => channelsOf(each))
  expect(byKind.map(({ channel }) => channel).sort()).toEqual([...all].sort())
  expect(all).toEqual(['telegram', 'whatsapp', 'whatsappCloud', ...MESSENGER_CHANNELS, 'webchat', 'http'])
})

it('a channel for which somebody else is paid says whom', () => {
  const paid = channelsOf('all').filter(({ cost }) => cost !== 'free')
  expect(paid.map(({ channel, cost }) => [channel, cost])).toEqual([
    ['whatsapp', 'greenApi'],
    ['whatsappCloud', 'meta'],
    ...MESSENGER_CHANNELS.filter((each) => messengerForm(each).cost !== 'free').map((each) => [each, 'provider']),
  ])
})
