// Which of several parts is found among what a provider has taken.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { findTaken } from './unknown-sends.rules.ts'

const part = (id: string, text: string, chatId = 'anna') => ({ id: id as Id<'outbox'>, chatId, text })
const taken = (externalMessageId: string, text: string, chatId = 'anna') => ({ externalMessageId, text, chatId })
const NOTHING = new Set<string>()

it('is the one with its text in its chat', () => {
  const texts = [taken('x', 'Yes', 'boris'), taken('y', ' Yes\n'), taken('z', 'No')]
  expect(findTaken([part('1', 'Yes')], texts, NOTHING)).toEqual([{ id: '1', externalMessageId: 'y' }])
})

it('is as many as were taken, and each once', () => {
  expect(findTaken([part('1', 'Yes'), part('2', 'Yes')], [taken('x', 'Yes')], NOTHING)).toHaveLength(1)
  const both = findTaken([part('1', 'Yes'), part('2', 'Yes')], [taken('x', 'Yes'), taken('y', 'Yes')], NOTHING)
  expect(new Set(both.map(({ externalMessageId }) => externalMessageId))).toEqual(new Set(['x', 'y']))
})

it('is none whose text is known to be of another part', () => {
  expect(findTaken([part('1', 'Yes')], [taken('x', 'Yes')], new Set(['x']))).toEqual([])
})
