// Decisions about agents.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import { isOwnAvatar, mergeSettings, newModels, temperatureFor } from './agents.rules.ts'

const model = (name: string, hasTemperature: boolean): ModelInfo => ({
  name,
  provider: 'test',
  label: name,
  isConfigured: true,
  hasTemperature,
  inputUsdPerMillion: null,
  outputUsdPerMillion: null,
})
const models = [model('test/warm', true), model('test/fixed', false)]
const agent = {
  ...agentSettings.parse({ model: 'test/warm', temperature: 0.3 }),
  avatar: '/files/avatars/a.webp',
} as Agent

describe('temperatureFor', () => {
  it.each([
    ['test/warm', 0.3],
    ['test/fixed', 1],
    ['test/unlisted', 0.3],
  ])('%s runs at %d', (name, expected) => {
    expect(temperatureFor(models, name, 0.3)).toBe(expected)
  })
})

describe('mergeSettings', () => {
  it('fixes the temperature when the model changes to one without the setting', () => {
    expect(mergeSettings(agent, { model: 'test/fixed' }, models)).toMatchObject({ model: 'test/fixed', temperature: 1 })
  })
  it('ignores a wished temperature that the model does not have', () => {
    const fixed = { ...agent, model: 'test/fixed', temperature: 1 }
    expect(mergeSettings(fixed, { temperature: 0.9 }, models)).toBeNull()
  })
  it('replaces a section whole and keeps the others', () => {
    const changed = mergeSettings(agent, { buffer: { seconds: 15 } }, models)
    expect(changed).toEqual({ ...agentSettings.parse(agent), buffer: { seconds: 15 } })
  })
  it('is nothing when what is given is what was', () => {
    expect(mergeSettings(agent, { buffer: { seconds: 0 }, temperature: undefined }, models)).toBeNull()
  })
})

describe('newModels', () => {
  it('names models that were not in use, as the first or as a fallback', () => {
    const fallback = { ...agent.fallback, models: ['test/warm', 'test/other'] }
    expect(newModels(agent, { model: 'test/warm', fallback })).toEqual(['test/other'])
  })
})

describe('isOwnAvatar', () => {
  it.each([
    [null, true],
    [undefined, true],
    ['gallery:shapes:7', true],
    ['/files/avatars/a.webp', true],
    ['/files/avatars/of-another-agent.webp', false],
  ])('%j: %s', (avatar, expected) => {
    expect(isOwnAvatar(agent, avatar)).toBe(expected)
  })
})
