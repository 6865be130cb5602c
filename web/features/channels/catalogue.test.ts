// Which channels are offered, and under what.
import { expect, it } from 'vitest'
import { CHANNEL_NAMES, channelsWhere } from '#shared/channels/manifests.ts'
import { CATEGORIES, channelsOf } from './catalogue.ts'

it('every channel stands under all and under one kind', () => {
  const all = channelsOf('all').map(({ channel }) => channel)
  const byKind = CATEGORIES.filter((each) => each !== 'all').flatMap((each) => channelsOf(each))
  expect(byKind.map(({ channel }) => channel).sort()).toEqual([...all].sort())
  expect(all).toEqual(CHANNEL_NAMES)
  expect(all).toEqual(['telegram', 'whatsapp', 'whatsappCloud', 'max', 'vk', 'avito', 'instagram', 'webchat', 'http'])
})

it('a channel that is paid for elsewhere says whom to pay', () => {
  expect(channelsWhere(({ cost }) => cost !== 'free')).toEqual(['whatsapp', 'whatsappCloud', 'avito'])
})
