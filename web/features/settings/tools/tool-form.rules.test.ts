// The form of a tool ↔ its definition, and which field a problem is shown at.
import { expect, it } from 'vitest'
import { formOf, NEW_TOOL, type ToolForm, toolOf } from './tool-form.rules.ts'

const FORM: ToolForm = {
  ...NEW_TOOL,
  ...{ name: 'order_status', description: 'The state of an order.' },
  url: 'https://api.shop.example/orders/{number}?phone={phone}',
  bound: { ...NEW_TOOL.bound, phone: 'phone' },
  fields: 'state = /order/state\n\n price = /order/price ',
}

it('becomes a definition, and the form again', () => {
  const read = toolOf(FORM)
  if (!('tool' in read)) throw new Error(JSON.stringify(read.errors))
  expect(read.tool).toMatchObject({
    bound: [{ argument: 'phone', from: 'phone' }],
    fields: [
      { name: 'state', pointer: '/order/state' },
      { name: 'price', pointer: '/order/price' },
    ],
    parameters: { required: ['number'] },
  })
  expect(toolOf(formOf(read.tool))).toEqual(read)
})

it.each<[keyof ToolForm, string, Partial<ToolForm>]>([
  ['name', 'invalid', { name: 'Order status' }],
  ['name', 'name_reserved', { name: 'search_web' }],
  ['url', 'url_invalid', { url: 'shop' }],
  ['parameters', 'invalid', { parameters: '{' }],
  ['parameters', 'invalid', { parameters: '{"type":"object","properties":{"a":{"type":"string","pattern":"(a+)+"}}}' }],
  ['headers', 'invalid', { headers: [{ name: 'X-Key\r\nHost', value: 'x', secretId: '' }] }],
  ['headers', 'invalid', { headers: [{ name: 'X-Key', value: 'x\r\nHost: evil', secretId: '' }] }],
  ['fields', 'invalid', { fields: 'state' }],
  ['body', 'body_not_json', { method: 'POST', body: '{' }],
  ['timeoutSeconds', 'invalid', { timeoutSeconds: 16 }],
  ['maxKilobytes', 'invalid', { maxKilobytes: 65 }],
  ['perDay', 'invalid', { perDay: null }],
])('says at %s that it is %s', (key, problem, change) => {
  const read = toolOf({ ...FORM, ...change })
  expect('errors' in read && read.errors[key]).toBe(problem)
})
