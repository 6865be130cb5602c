// The connection form of each messenger: it can be filled in, has words in both languages, and is validated.
import { describe, expect, it } from 'vitest'
import en from '#web/locales/en/channels.json' with { type: 'json' }
import ru from '#web/locales/ru/channels.json' with { type: 'json' }
import { MESSENGER_CHANNELS } from './manifests.ts'
import { messengerForm, wrongField } from './messenger-forms.ts'

describe.each(MESSENGER_CHANNELS)('the form of %s', (channel) => {
  const { fields, pointing, guideUrl } = messengerForm(channel)

  it('asks for a secret, under unique names', () => {
    expect(fields.some(({ isSecret }) => isSecret)).toBe(true)
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
    expect(pointing).toMatch(/^(?:itself|byHand)$/)
    expect(guideUrl).toMatch(/^https:\/\//)
  })

  it.each([
    ['ru', ru],
    ['en', en],
  ])('has words for its fields, and for no others, in %s', (_, words) => {
    const fieldWords: Record<string, Record<string, string>> = words.messengers[channel].fields
    expect(Object.keys(fieldWords).sort()).toEqual(fields.map(({ name }) => name).sort())
    for (const field of Object.values(fieldWords)) expect(Object.keys(field).sort()).toEqual(['hint', 'label', 'wrong'])
  })
})

describe('wrongField', () => {
  const token = 'f9LHodD0cOJ5XKKgpcDzm'

  it('names a field that is missing, unknown or malformed', () => {
    expect(wrongField('max', { token })).toBeNull()
    expect(wrongField('max', {})).toBe('token')
    expect(wrongField('max', { token: '' })).toBe('token')
    expect(wrongField('max', { token: 'two words, and more of them' })).toBe('token')
    expect(wrongField('max', { token, other: 'x' })).toBe('other')
  })

  it('accepts omitted fields in a change, and nothing else', () => {
    expect(wrongField('max', {}, true)).toBeNull()
    expect(wrongField('max', { token: 'short' }, true)).toBe('token')
  })
})
