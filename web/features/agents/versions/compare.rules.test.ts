// What differs between two versions.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { compareSettings } from './compare.rules.ts'

const settings = agentSettings.parse({ model: 'a/b' })

describe('compareSettings', () => {
  it('is empty for equal settings, and leaves the instructions to the comparison of texts', () => {
    expect(compareSettings(settings, settings)).toEqual([])
    expect(compareSettings(settings, { ...settings, systemPrompt: 'New' })).toEqual([])
  })
  it('names each setting by its path', () => {
    const after = { ...settings, temperature: 0.5, buffer: { seconds: 15 }, spam: { ...settings.spam, text: 'Enough' } }
    expect(compareSettings(settings, after)).toEqual([
      { path: 'temperature', before: 1, after: 0.5 },
      { path: 'buffer.seconds', before: 0, after: 15 },
      { path: 'spam.text', before: '', after: 'Enough' },
    ])
  })
  it('shows lists and hours in a form that people can read', () => {
    const hours = settings.availability.hours.map((day, index) =>
      index === 0 ? [9, 10, 11, 14] : index < 5 ? day : [],
    )
    const after = {
      ...settings,
      availability: { ...settings.availability, hours },
      fallback: { ...settings.fallback, models: ['a/c', 'a/d'] },
    }
    const changes = compareSettings(settings, after)
    expect(changes.map(({ path }) => path)).toEqual(['availability.hours', 'fallback.models'])
    expect(changes[0]?.after).toBe('1: 9–12, 14–15; 2: 0–24; 3: 0–24; 4: 0–24; 5: 0–24; 6: –; 7: –')
    expect(changes[1]).toMatchObject({ before: '', after: 'a/c, a/d' })
  })
})
