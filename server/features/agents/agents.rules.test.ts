// Decisions about agents.
import { describe, expect, it } from 'vitest'
import type { Agent } from '#shared/agents.ts'
import type { ModelInfo } from '#shared/models.ts'
import { completePatch, isOwnAvatar, temperatureFor } from './agents.rules.ts'

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
const agent = { model: 'test/warm', temperature: 0.3, avatar: '/files/avatars/a.webp' } as Agent

describe('temperatureFor', () => {
  it.each([
    ['test/warm', 0.3],
    ['test/fixed', 1],
    ['test/unlisted', 0.3],
  ])('%s runs at %d', (name, expected) => {
    expect(temperatureFor(models, name, 0.3)).toBe(expected)
  })
})

describe('completePatch', () => {
  it('fixes the temperature when the model changes to one without the setting', () => {
    expect(completePatch(agent, { model: 'test/fixed' }, models)).toEqual({ model: 'test/fixed', temperature: 1 })
  })
  it('ignores a wished temperature that the model does not have', () => {
    expect(completePatch({ ...agent, model: 'test/fixed' }, { temperature: 0.9 }, models).temperature).toBe(1)
  })
  it('keeps the temperature otherwise', () => {
    expect(completePatch(agent, { name: 'x' }, models)).toEqual({ name: 'x', temperature: 0.3 })
  })
})

describe('isOwnAvatar', () => {
  it.each([
    [null, true],
    [undefined, true],
    ['gallery:shapes:7', true],
    ['/files/avatars/a.webp', true],
    ['/files/avatars/of-somebody-else.webp', false],
  ])('%j: %s', (avatar, expected) => {
    expect(isOwnAvatar(agent, avatar)).toBe(expected)
  })
})
