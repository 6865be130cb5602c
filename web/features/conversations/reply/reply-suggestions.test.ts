// What is offered behind a slash and behind an at sign, and whom a note calls for.
import { describe, expect, it } from 'vitest'
import type { CannedReply } from '#shared/messaging/operator-tools.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { cannedSuggestions, mentionedIn, mentionSuggestions } from './reply-suggestions.ts'

const reply = (name: string, ru: string, en: string) => ({ _id: name, name, texts: { ru, en } }) as CannedReply
const REPLIES = [
  reply('Приветствие', 'Здравствуйте, {customer}!', 'Hello, {customer}! {agent} wrote: {order}'),
  reply('Refund', '', 'Money'),
]
const MEMBERS = ['Olga', 'Pavel'].map((name) => ({ _id: name, name }) as Member)
const canned = (before: string, language = 'ru') =>
  cannedSuggestions(REPLIES, { label: 'Replies', language, names: { customer: 'Anna', agent: 'Robo' } })(before)

describe('a slash', () => {
  it('offers every reply in its languages, that of the reader first, with the names in place', () => {
    expect(canned('/')?.items.map(({ label }) => label)).toEqual([
      'Приветствие · ru',
      'Приветствие · en',
      'Refund · en',
    ])
    expect(canned('/', 'en')?.items[0]?.text).toBe('Hello, Anna! Robo wrote: {order}')
  })

  it('finds by what follows it, whatever its case, in the place of what was typed', () => {
    expect(canned('So: /ПРИВ')).toMatchObject({ from: 4, items: [{ text: 'Здравствуйте, Anna!' }, {}] })
    expect(canned('/nothing of the kind')).toBeNull()
  })

  it('within a word, an address or a fraction offers nothing', () => {
    for (const before of ['', 'and/or', 'https://', '1/2', 'Hello']) expect(canned(before)).toBeNull()
  })
})

describe('an at sign', () => {
  it('offers members, and a note calls for those whose names it holds', () => {
    const offered = mentionSuggestions(MEMBERS, 'Colleagues')('Look, @pa')
    expect(offered).toMatchObject({ from: 6, items: [{ label: 'Pavel', text: '@Pavel ' }] })
    expect(mentionSuggestions(MEMBERS, 'Colleagues')('olga@example')).toBeNull()
    expect(mentionedIn('Look, @Pavel', MEMBERS)).toEqual(['Pavel'])
    expect(mentionedIn('Ask Olga', MEMBERS)).toEqual([])
    const anna = { ...MEMBERS[0], _id: 'Anna', name: 'Anna' } as (typeof MEMBERS)[number]
    const smith = { ...anna, _id: 'Anna Smith' as typeof anna._id, name: 'Anna Smith' }
    expect(mentionedIn('@Anna Smith, look', [anna, smith])).toEqual(['Anna Smith'])
    expect(mentionedIn('@Anna and @Anna Smith, look', [anna, smith])).toEqual(['Anna', 'Anna Smith'])
  })
})
