// Names, prices and abilities of the models.
import { describe, expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { createLlm } from './create.ts'
import { costMicroUsd, hasTemperature, MODELS, nameOf } from './registry.ts'

const none = { apiKey: undefined, baseUrl: undefined }
const key = { apiKey: 'key', baseUrl: undefined }
const local = { apiKey: undefined, baseUrl: 'http://localhost:11434/v1' }

function llmWith(config: { openai?: typeof key; anthropic?: typeof key; google?: typeof key; base?: typeof local }) {
  const { openai = none, anthropic = none, google = none, base } = config
  return createLlm({ openai: base ?? openai, anthropic, google }, createLogger('silent'))
}
function codeOf(run: () => void): unknown {
  try {
    run()
    return 'known'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('a cost', () => {
  it.each([
    [{ input: 0.25, output: 2 }, { input: 1_000_000, output: 1_000_000, cachedInput: 0 }, 2_250_000],
    [{ input: 0.25, output: 2 }, { input: 1, output: 0, cachedInput: 0 }, 0],
    [{ input: 0.25, output: 2 }, { input: 2, output: 0, cachedInput: 0 }, 1],
    [{ input: 0.1, output: 0.4 }, { input: 3, output: 7, cachedInput: 0 }, 3],
    [{ input: 1.25, output: 10, cachedInput: 0.125 }, { input: 1000, output: 10, cachedInput: 800 }, 450],
    [{ input: 1.25, output: 10 }, { input: 1000, output: 0, cachedInput: 800 }, 1250],
    [{ input: 1, output: 1, cachedInput: 0 }, { input: 10, output: 0, cachedInput: 99 }, 0],
  ])('of %j for %j is %i millionths of a dollar', (price, tokens, expected) => {
    expect(costMicroUsd(price, tokens)).toBe(expected)
  })

  it('is unknown without a price and beyond the length that the price is for', () => {
    const tokens = { input: 300_000, output: 1, cachedInput: 0 }
    expect(costMicroUsd(null, tokens)).toBeNull()
    expect(costMicroUsd({ input: 3, output: 15, maxInputTokens: 200_000 }, tokens)).toBeNull()
  })
})

describe('the table of models', () => {
  it('names every model once', () => {
    const names = MODELS.map(nameOf)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each([
    ['openai/gpt-5-mini', false],
    ['openai/o4-mini', false],
    ['openai/gpt-5-chat-latest', true],
    ['openai/gpt-4.1', true],
    ['openai/gpt-oss-20b', true],
    ['anthropic/claude-sonnet-4-5', true],
    ['anthropic/claude-opus-5', false],
    ['google/gemini-2.5-pro', true],
    ['mistralai/mistral-small', true],
    [EXTRACTIVE_MODEL, false],
  ])('knows whether %s has a temperature', (name, expected) => {
    expect(hasTemperature(name)).toBe(expected)
  })

  it('is listed with the built-in model, which is always configured and free', () => {
    const models = llmWith({ anthropic: key }).models()
    expect(models.filter((model) => model.isConfigured).map((model) => model.provider)).toEqual(
      expect.arrayContaining(['anthropic', 'parley']),
    )
    expect(models.filter((model) => model.provider === 'openai').every((model) => !model.isConfigured)).toBe(true)
    expect(models.at(-1)).toMatchObject({ name: EXTRACTIVE_MODEL, isConfigured: true, inputUsdPerMillion: 0 })
  })
})

describe('a model name', () => {
  it.each([
    [{}, EXTRACTIVE_MODEL],
    [{ openai: key, google: key }, 'openai/gpt-5-mini'],
    [{ google: key }, 'google/gemini-2.5-flash'],
  ])('for a new agent with %j is %s', (config, expected) => {
    expect(llmWith(config).defaultModel()).toBe(expected)
  })

  it.each([
    [{}, EXTRACTIVE_MODEL, 'known'],
    [{}, 'openai/gpt-5-mini', 'known'],
    [{ openai: key }, 'openai/any-new-model', 'known'],
    [{ openai: key }, 'google/gemini-2.5-flash', 'known'],
    [{ openai: key }, 'mistralai/mistral-small', 'model_unknown'],
    [{ base: local }, 'mistralai/mistral-small', 'known'],
    [{ base: local }, 'anthropic/claude-haiku-4-5', 'known'],
    [{ base: local }, 'llama3', 'model_unknown'],
    [{ base: local }, 'openai/', 'model_unknown'],
    [{ base: local }, '', 'model_unknown'],
  ])('with %j: %s is %s', (config, name, expected) => {
    expect(codeOf(() => llmWith(config).assertKnown(name))).toBe(expected)
  })
})
