// The stand-in for a chat API is as strict as the real one.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLlm } from '#server/integrations/llm/create.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { type FakeOpenAi, startFakeOpenAi } from './openai.ts'

let fake: FakeOpenAi
beforeEach(async () => {
  fake = await startFakeOpenAi()
})
afterEach(() => fake.close())

function post(body: unknown): Promise<Response> {
  return fetch(`${fake.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
}
const user = { role: 'user', content: 'Hi' }

describe('the fake chat API', () => {
  it.each([
    ['an unknown field', { model: 'm', messages: [user], frobnicate: 1 }],
    ['no messages', { model: 'm', messages: [] }],
    ['a temperature for a reasoning model', { model: 'gpt-5-mini', messages: [user], temperature: 0.2 }],
    [
      'a tool result without a call',
      { model: 'm', messages: [user, { role: 'tool', tool_call_id: 'x', content: '' }] },
    ],
  ])('refuses %s', async (_name, body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(fake.requests).toEqual([])
  })

  it('answers whole when no stream is asked for', async () => {
    fake.reply(() => ({ text: 'Hello!' }))
    const answer = await (await post({ model: 'm', messages: [user] })).json()
    expect(answer).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
    })
  })

  it.each([
    ['Сколько стоит доставка?', 'Доставка стоит 390 рублей.'],
    ['Здравствуйте', 'Чем могу помочь?'],
  ])('answers «%s» from the passages of the prompt when it has no script', async (question, part) => {
    const none = { apiKey: undefined, baseUrl: undefined }
    const config = { openai: { apiKey: undefined, baseUrl: fake.url }, anthropic: none, google: none }
    const passage = {
      id: 'c1',
      source: 'Доставка',
      page: null,
      score: 1,
      text: 'Доставка стоит 390 рублей. Оплата картой.',
    }
    const { text } = await createLlm(config, createLogger('silent')).generate({
      model: 'openai/gpt-5-mini',
      temperature: 1,
      system: 'Ты помощник магазина.',
      messages: [{ role: 'user', text: question }],
      passages: [passage, { ...passage, id: 'c2', source: 'О нас', text: 'Мы открылись в 2015 году.' }],
      isWeakEvidence: false,
      tools: [],
      signal: new AbortController().signal,
    })
    expect(text).toContain(part)
    expect(text).not.toContain('2015')
  })
})
