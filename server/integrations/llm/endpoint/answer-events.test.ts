// Answers of gateways in other shapes, and streams that end without saying so.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ANSWER, event, type Gateway, startGateway } from '#tests/model-answers/gateway.ts'

const delta = (piece: object, finish: string | null = null) =>
  event({ id: '1', choices: [{ index: 0, delta: piece, finish_reason: finish }] })
const whole = (message: object, finish = 'stop') =>
  JSON.stringify({ id: '1', choices: [{ index: 0, message, finish_reason: finish }] })
const DONE = 'data: [DONE]\n\n'
const WORDS = delta({ role: 'assistant', content: 'Delivery is free ' }) + delta({ content: 'in Almaty.' })

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.fake.close())

describe('an answer in another shape', () => {
  it.each([
    ['reasoning in a field of DeepSeek', delta({ reasoning_content: 'A secret.' }) + WORDS + delta({}, 'stop') + DONE],
    [
      'reasoning in a field of OpenRouter',
      delta({ reasoning: 'A secret.', reasoning_details: [{ type: 'reasoning.text', text: 'A secret.' }] }) +
        WORDS +
        delta({}, 'stop') +
        DONE,
    ],
    [
      'reasoning in a field of Ollama',
      delta({ content: '', thinking: 'A secret.' }) + WORDS + delta({}, 'stop') + DONE,
    ],
    [
      'reasoning as an object',
      delta({ reasoning: { text: 'A secret.' }, content: '' }) + WORDS + delta({}, 'stop') + DONE,
    ],
    [
      'parts of Mistral',
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'A secret.' }] }] }) +
        delta({ content: [{ type: 'text', text: ANSWER }] }, 'stop') +
        DONE,
    ],
    [
      'parts with reasoning as text',
      delta(
        {
          content: [
            { type: 'reasoning', text: 'A secret.' },
            { type: 'output_text', text: ANSWER },
          ],
        },
        'stop',
      ) + DONE,
    ],
    [
      'parts with a mark of thought',
      delta({ content: [{ text: 'A secret.', thought: true }, { text: ANSWER }] }, 'stop') + DONE,
    ],
    ['a part alone', delta({ content: { type: 'text', text: ANSWER } }, 'stop') + DONE],
    [
      'a message in a stream',
      event({ choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }] }) + DONE,
    ],
    ['another role', delta({ role: 'model', content: ANSWER }, 'stop') + DONE],
    ['a comment before it', `: OPENROUTER PROCESSING\n\n${WORDS}${delta({}, 'stop')}${DONE}`],
    [
      'a filter of Azure before it',
      event({ choices: [], prompt_filter_results: [] }) + WORDS + delta({}, 'stop') + DONE,
    ],
    [
      'tokens in a chunk of their own',
      WORDS + delta({}, 'stop') + event({ usage: { prompt_tokens: 10, completion_tokens: 5 } }) + DONE,
    ],
    ['an empty finish in each chunk', delta({ content: ANSWER }, '') + delta({}, '') + DONE],
    ['a finish of Google', WORDS + delta({}, 'STOP') + DONE],
    ['lines without a space', WORDS.replaceAll('data: ', 'data:') + delta({}, 'stop') + DONE],
    ['carriage returns', (WORDS + delta({}, 'stop') + DONE).replaceAll('\n', '\r\n')],
    [
      'a whole answer although a stream was asked for',
      whole({ role: 'assistant', content: ANSWER, reasoning_content: 'A secret.' }),
    ],
  ])('(%s) is understood', async (name, raw) => {
    gateway.fake.reply(() => (name.startsWith('a whole') ? { text: ANSWER, isPlain: true } : { raw }))
    expect(await gateway.ask()).toBe(ANSWER)
  })

  it.each([
    [
      'the older field, as GigaChat has it',
      delta({ function_call: { name: 'search_knowledge', arguments: { query: 'a' } } }, 'function_call') + DONE,
    ],
    [
      'arguments as an object',
      delta(
        { tool_calls: [{ index: 0, id: '1', function: { name: 'search_knowledge', arguments: { query: 'a' } } }] },
        'tool_calls',
      ) + DONE,
    ],
    [
      'no id and no index',
      delta({ tool_calls: [{ function: { name: 'search_knowledge', arguments: '{"query":"a"}' } }] }, 'tool_calls') +
        DONE,
    ],
    [
      'a call without a function',
      delta({ tool_calls: [{ name: 'search_knowledge', arguments: { query: 'a' } }] }, 'tool_calls') + DONE,
    ],
    [
      'a call and no finish',
      delta({
        tool_calls: [{ index: 0, id: '1', function: { name: 'search_knowledge', arguments: '{"query":"a"}' } }],
      }) + DONE,
    ],
  ])('with a call (%s) is understood', async (_, raw) => {
    gateway.fake.reply((__, index) => (index === 0 ? { raw } : { text: ANSWER }))
    expect(await gateway.ask()).toBe(ANSWER)
    expect(gateway.ran).toEqual([{ query: 'a' }])
  })

  it.each([
    ['max_tokens', 'continued'],
    ['MAX_TOKENS', 'continued'],
    ['model_length', 'continued'],
  ])('cut under another name (%s) is known to be', async (finish, code) => {
    gateway.fake.reply((_, index) =>
      index === 0 ? { raw: WORDS + delta({ content: ' And' }, finish) + DONE } : { text: 'Always.' },
    )
    expect(await gateway.ask()).toBe(`${ANSWER} Always.`)
    expect(gateway.notes()).toMatchObject([{ code }])
  })

  it.each(['SAFETY', 'blacklist', 'PROHIBITED_CONTENT'])(
    'withheld under another name (%s) is withheld',
    async (finish) => {
      gateway.fake.reply(() => ({ raw: delta({ content: 'I' }, finish) + DONE }))
      expect(await gateway.ask()).toBe('failed: filtered')
    },
  )
})

describe('a stream without an end', () => {
  it.each([
    ['an end mark but no finish', WORDS + DONE],
    ['neither', WORDS],
    ['neither, and no last line break', WORDS.trimEnd()],
    [
      'a finish that is empty',
      delta({ content: ANSWER }) + event({ choices: [{ index: 0, delta: {}, finish_reason: null }] }),
    ],
  ])('(%s) is an answer all the same, and noted', async (_, raw) => {
    gateway.fake.reply(() => ({ raw }))
    expect(await gateway.ask()).toBe(ANSWER)
    expect(gateway.notes()).toEqual([{ code: 'unfinished' }])
    expect(gateway.fake.requests).toHaveLength(1)
  })

  it('that breaks off is tried again, and counts up to its last whole sentence if it breaks off again', async () => {
    gateway.fake.reply(() => ({ failure: 'truncated', text: `${ANSWER} In Astana it` }))
    expect(await gateway.ask()).toBe(ANSWER)
    expect(gateway.notes()).toEqual([{ code: 'broken_off' }])
    expect(gateway.fake.requests).toHaveLength(2)
  })

  it('that breaks off before a whole sentence is none', async () => {
    gateway.fake.reply(() => ({ failure: 'truncated', text: 'Delivery is' }))
    expect(await gateway.ask()).toBe('failed: bad_answer')
  })

  it('that ends with an error is none', async () => {
    gateway.fake.reply(() => ({ raw: WORDS + event({ error: 'the model runner has stopped' }) }))
    expect(await gateway.ask()).toBe('failed: unavailable')
  })
})
