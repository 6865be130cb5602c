// Which tools can be saved: each problem is found, and only where it is.
import { expect, it } from 'vitest'
import { problemsOf, type ToolProblem } from './tool-rules.ts'
import type { ToolDefinition } from './tools.ts'

const SOUND: ToolDefinition = {
  ...{ name: 'order_status', description: 'The state of an order.', method: 'GET' },
  url: 'https://api.shop.example/orders/{number}?phone={phone}&lang={lang}',
  headers: [
    { name: 'Authorization', value: 'Bearer ', secretId: 's1' as ToolDefinition['headers'][number]['secretId'] },
  ],
  ...{ approval: 'none', title: '' },
  parameters: {
    type: 'object',
    properties: { number: { type: 'string' }, lang: { type: 'string', enum: ['ru', 'en'] } },
    required: ['number'],
  },
  bound: [{ argument: 'phone', from: 'phone' }],
  ...{ body: '', fields: [], timeoutSeconds: 5, maxKilobytes: 16, perTurn: 2, perDay: 100 },
}
const header = (name: string) => ({ name, value: 'x', secretId: null })

it('finds nothing wrong with a sound tool', () => {
  expect(problemsOf(SOUND)).toEqual([])
})

it.each<[ToolProblem, Partial<ToolDefinition>]>([
  ['name_reserved', { name: 'hand_off' }],
  ['url_invalid', { url: SOUND.url.replace('https://', '') }],
  ['url_placeholder_place', { url: 'https://{number}.example/?phone={phone}&lang={lang}' }],
  ['url_path_optional', { url: 'https://api.shop.example/{number}/{lang}?phone={phone}' }],
  ['placeholder_unknown', { url: `${SOUND.url}&x={other}` }],
  ['argument_unused', { url: 'https://api.shop.example/orders/{number}?phone={phone}' }],
  ['argument_twice', { bound: [...SOUND.bound, { argument: 'number', from: 'contact_id' }] }],
  ['required_unknown', { parameters: { ...SOUND.parameters, required: ['number', 'phone'] } }],
  ['header_forbidden', { headers: [header('Host')] }],
  ['header_forbidden', { headers: [header('Proxy-Authorization')] }],
  ['header_twice', { headers: [header('X-Key'), header('x-key')] }],
  ['body_not_json', { method: 'POST', body: '{' }],
  ['body_key_placeholder', { method: 'POST', body: '{"{number}":1}' }],
  ['body_without_post', { body: '{}' }],
  ['secret_without_https', { url: SOUND.url.replace('https', 'http') }],
])('finds %s', (problem, change) => {
  expect(problemsOf({ ...SOUND, ...change })).toEqual([problem])
})
