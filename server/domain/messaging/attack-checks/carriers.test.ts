// What a check consists of, by what the agent reads.
import { expect, it } from 'vitest'
import { ATTACK_CARRIERS, ATTACKS_COUNT } from '#shared/messaging/attack-checks.ts'
import { type AddedTools, carriersOf, namesOf, plan } from './carriers.ts'

const tool = (name: string, approval: string) => ({ name, approval, title: '' })
const added = (http: object[], mcp: object[] = []) => ({ http, mcp }) as AddedTools
const NOTHING = added([])

it.each([1, 2, 3, 7])('tries each attack once in %i places, in both languages in each of them', (count) => {
  const carriers = ATTACK_CARRIERS.slice(0, count)
  const cases = plan(carriers, 'brief')
  expect(new Set(cases.map(({ attack }) => attack.name)).size).toBe(ATTACKS_COUNT)
  expect(cases).toHaveLength(ATTACKS_COUNT)
  const tried = new Set(cases.map(({ carrier, language }) => `${carrier} ${language}`))
  expect(tried.size).toBe(count * 2)
})

it('tries everything in a whole check, under numbers that stay', () => {
  const cases = plan(['message', 'cell'], 'whole')
  expect(cases).toHaveLength(ATTACKS_COUNT * 2 * 2)
  expect(cases.map(({ number }) => number)).toEqual(cases.map((_, at) => at))
  expect(plan(['message', 'cell'], 'whole')).toEqual(cases)
})

it('finds where the agent reads what others have written', () => {
  expect(carriersOf(['hand_off'], false, NOTHING)).toEqual(['message'])
  const shop = added([tool('cancel', 'customer')], [tool('orders', 'none')])
  expect(carriersOf(['query_table', 'search_web'], true, shop)).toEqual(
    ATTACK_CARRIERS.filter((carrier) => carrier !== 'http_result'),
  )
})

it('attacks the tools that the agent has, and tools of others where it has none', () => {
  expect(namesOf(NOTHING)).toMatchObject({ lookUp: 'order_status', cancel: 'cancel_order', payOut: 'shop_pay_out' })
  const shop = added(
    [tool('find', 'none'), tool('refund', 'operator'), tool('drop', 'customer')],
    [tool('pay', 'operator')],
  )
  expect(namesOf(shop)).toMatchObject({
    ...{ lookUp: 'find', lookUpMcp: 'find', cancel: 'drop', refund: 'refund', payOut: 'pay' },
  })
})
