// What a model allows, in what order models stand, and which one is proposed.
import { describe, expect, it } from 'vitest'
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { Id } from '#shared/ids.ts'
import { estimateTokens } from '#web/lib/estimate-tokens.ts'
import { groupModels, proposedModel, temperatureOf, withOwnKeys } from './models.rules.ts'

function model(name: string, provider: string, more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    name,
    provider,
    label: name,
    isConfigured: true,
    hasTemperature: true,
    inputUsdPerMillion: 1,
    outputUsdPerMillion: 2,
    ...more,
  }
}

describe('the temperature', () => {
  it('is locked at 1.00 for a model that does not support another', () => {
    expect(temperatureOf(model('x', 'openai', { hasTemperature: false }), 0.2)).toEqual({ value: 1, isFixed: true })
  })

  it('is free for a model that supports it and for one that is not in the registry', () => {
    expect(temperatureOf(model('x', 'openai'), 0.2)).toEqual({ value: 0.2, isFixed: false })
    expect(temperatureOf(undefined, 0.2)).toEqual({ value: 0.2, isFixed: false })
  })
})

describe('the models', () => {
  it('stand by provider: usable ones first, then the built-in, then those without a key', () => {
    const groups = groupModels([
      model('parley-extractive', 'parley'),
      model('anthropic/a', 'anthropic', { isConfigured: false }),
      model('openai/a', 'openai'),
      model('openai/b', 'openai'),
    ])
    expect(groups.map((group) => [group.provider, group.models.length])).toEqual([
      ['openai', 2],
      ['parley', 1],
      ['anthropic', 1],
    ])
  })
})

describe("a key of the agent's own", () => {
  it('makes the models of its provider usable and no others', () => {
    const key: AgentKey = { agentId: 'a' as Id<'agents'>, provider: 'anthropic', maskedKey: '…1234', updatedAt: 0 }
    const models = [
      model('anthropic/a', 'anthropic', { isConfigured: false }),
      model('google/a', 'google', { isConfigured: false }),
    ]
    expect(withOwnKeys(models, [key]).map(({ isConfigured }) => isConfigured)).toEqual([true, false])
  })
})

describe('the model proposed for a new agent', () => {
  const builtIn = model('parley-extractive', 'parley')

  it('is the first of a usable provider', () => {
    expect(proposedModel([builtIn, model('a/1', 'a', { isConfigured: false }), model('b/1', 'b')])).toBe('b/1')
  })

  it('is the built-in one when no provider has a key', () => {
    expect(proposedModel([model('a/1', 'a', { isConfigured: false }), builtIn])).toBe('parley-extractive')
    expect(proposedModel([])).toBeUndefined()
  })
})

describe('the token estimate', () => {
  it('is zero for nothing and counts Russian letters as more tokens than English ones', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('привет мир')).toBeGreaterThan(estimateTokens('hello there'.slice(0, 10)))
  })
})
