// Which of several parts is found among what a provider has accepted.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { findTaken } from './unknown-sends.rules.ts'

const part = (id: string, text: string, chatId = 'anna') => ({ id: id as Id<'outbox'>, chatId, text, isPlain: false })
const taken = (externalMessageId: string, text: string, chatId = 'anna') => ({ externalMessageId, text, chatId })
const NOTHING = new Set<string>()
const sendLog = (texts: ReturnType<typeof taken>[], known: ReadonlySet<string> = NOTHING) =>
  ({ taken: texts, known, markup: 'whatsapp' }) as const

it('finds the part by its text in its chat', () => {
  const texts = [taken('x', 'Yes', 'boris'), taken('y', ' Yes\n'), taken('z', 'No')]
  expect(findTaken([part('1', 'Yes')], sendLog(texts))).toEqual([{ id: '1', externalMessageId: 'y' }])
})

it('finds as many parts as were accepted, and each once', () => {
  expect(findTaken([part('1', 'Yes'), part('2', 'Yes')], sendLog([taken('x', 'Yes')]))).toHaveLength(1)
  const both = findTaken([part('1', 'Yes'), part('2', 'Yes')], sendLog([taken('x', 'Yes'), taken('y', 'Yes')]))
  expect(new Set(both.map(({ externalMessageId }) => externalMessageId))).toEqual(new Set(['x', 'y']))
})

it('skips a text that is known to be of another part', () => {
  expect(findTaken([part('1', 'Yes')], sendLog([taken('x', 'Yes')], new Set(['x'])))).toEqual([])
})

it('compares the text as the channel renders and sends it', () => {
  const markdown = part('1', '# Price\n\n**4990** at [the shop](https://a.kz)')
  const sent = '*Price*\n\n*4990* at the shop: https://a.kz'
  expect(findTaken([markdown], sendLog([taken('x', sent)]))).toHaveLength(1)
  expect(findTaken([markdown], sendLog([taken('x', markdown.text)]))).toEqual([])
  const typed = { ...part('2', '**4990**'), isPlain: true }
  expect(findTaken([typed], sendLog([taken('x', '**4990**')]))).toHaveLength(1)
  expect(findTaken([typed], sendLog([taken('x', '*4990*')]))).toEqual([])
})
