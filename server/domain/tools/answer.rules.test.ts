// What a model receives of an answer: the named fields, and no secret.
import { describe, expect, it } from 'vitest'
import { at, mapped, withoutSecrets } from './answer.rules.ts'

const ANSWER = '{"order":{"state":"sent","lines":[{"name":"Bread"}]},"a/b":1,"m~n":2,"":3}'

describe('fields', () => {
  it.each([
    ['', JSON.parse(ANSWER)],
    ['/order/state', 'sent'],
    ['/order/lines/0/name', 'Bread'],
    ['/order/lines/1', undefined],
    ['/order/lines/-', undefined],
    ['/order/lines/01', undefined],
    ['/a~1b', 1],
    ['/m~0n', 2],
    ['/', 3],
    ['/order/__proto__', undefined],
    ['/order/lines/length', undefined],
  ])('at %j', (pointer, expected) => {
    expect(at(JSON.parse(ANSWER), pointer)).toEqual(expected)
  })

  it('are all that is left, and null where there is nothing', () => {
    const fields = [
      { name: 'state', pointer: '/order/state' },
      { name: 'price', pointer: '/order/price' },
    ]
    expect(mapped(ANSWER, fields)).toEqual({ state: 'sent', price: null })
  })

  it('are not looked for in what is no JSON', () => {
    expect(mapped('<html>', [{ name: 'state', pointer: '/state' }])).toBeUndefined()
    expect(mapped('plain words', [])).toBe('plain words')
  })
})

describe('secrets', () => {
  it('that a service repeats are taken out, as they are and as JSON or an address has them', () => {
    const secret = 'pa"ss w0rd'
    const text = `${secret} ${JSON.stringify({ secret })} ${encodeURIComponent(secret)}`
    const left = withoutSecrets(text, [secret])
    expect(left).not.toMatch(/w0rd/)
    expect(left).toContain('•••')
  })
})
