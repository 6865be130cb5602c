// Who is charged for what, and when there is no room.
import { expect, it } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { Ledger, weightOf } from './budget.ts'
import { KEPT_MAX } from './limits.ts'
import { Tab } from './tab.ts'

const HERE = '203.0.113.7'
const { stranger, account } = KEPT_MAX

function codeOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof AppError ? error.data : error
  }
}

it('charges all payers or none, and tells what the first one has room for that has too little', () => {
  const ledger = new Ledger()
  const payers = [
    { key: 'a', allowed: { bytes: 100, items: 10 } },
    { key: 'b', allowed: { bytes: 50, items: 2 } },
  ]
  const first = ledger.charge(payers, { bytes: 40, items: 1 })
  expect(codeOf(() => ledger.charge(payers, { bytes: 20, items: 1 }))).toMatchObject({
    code: 'arguments_too_large',
    params: { maxBytes: 50 },
  })
  ledger.charge(payers, { bytes: 10, items: 1 })
  expect(codeOf(() => ledger.charge(payers, { bytes: 0, items: 1 }))).toMatchObject({
    code: 'too_many_queries',
    params: { max: 2 },
  })
  expect(ledger.kept('a')).toEqual({ bytes: 50, items: 2 })
  first.release()
  first.release()
  expect(ledger.kept('a')).toEqual({ bytes: 10, items: 1 })
})

it('resizes a charge where there is room, and one that was released not at all', () => {
  const ledger = new Ledger()
  const charge = ledger.charge([{ key: 'a', allowed: { bytes: 100, items: 1 } }], { bytes: 0, items: 1 })
  expect(charge.resize(100)).toBe(true)
  expect(charge.resize(101)).toBe(false)
  expect(ledger.kept('a').bytes).toBe(100)
  charge.release()
  expect(charge.resize(50)).toBe(true)
  expect(ledger.kept('a')).toEqual({ bytes: 0, items: 0 })
})

it('lets the strangers of an address share a small budget, and each of them have less', () => {
  const ledger = new Ledger()
  const tabs = Array.from({ length: stranger.address.bytes / stranger.socket.bytes }, () => new Tab(ledger, HERE))
  expect(codeOf(() => tabs[0]?.charge('kept', stranger.socket.bytes + 1))).toMatchObject({
    code: 'arguments_too_large',
  })
  for (const tab of tabs) tab.charge('kept', stranger.socket.bytes)
  expect(codeOf(() => new Tab(ledger, HERE).charge('kept', 1))).toMatchObject({ code: 'arguments_too_large' })
  expect(codeOf(() => new Tab(ledger, '203.0.113.8').charge('kept', 1))).toBeUndefined()
})

it('charges the account as soon as a client shows it, for what it has already too', () => {
  const ledger = new Ledger()
  const tab = new Tab(ledger, HERE)
  const early = tab.charge('kept', 1000)
  tab.identify('u1')
  expect(ledger.kept(`kept strangers ${HERE}`).bytes).toBe(0)
  expect(ledger.kept('kept account u1').bytes).toBe(1000)
  tab.identify('u2')
  expect(ledger.kept('kept account u1').bytes).toBe(0)
  tab.charge('kept', account.socket.bytes - 1000)
  expect(codeOf(() => tab.charge('kept', 1))).toMatchObject({ params: { maxBytes: account.socket.bytes } })
  early.release()
  expect(codeOf(() => tab.charge('kept', 1))).toBeUndefined()
})

it('has an account pay for all its sockets, wherever they come from', () => {
  const ledger = new Ledger()
  const open = (address: string, userId: string) => {
    const tab = new Tab(ledger, address)
    tab.identify(userId)
    return tab
  }
  for (let at = 0; at < account.account.bytes / account.socket.bytes; at++) {
    open(`203.0.113.${at}`, 'u1').charge('kept', account.socket.bytes)
  }
  expect(codeOf(() => open('203.0.113.99', 'u1').charge('kept', 1))).toMatchObject({
    params: { maxBytes: account.account.bytes },
  })
  expect(codeOf(() => open('203.0.113.99', 'u2').charge('kept', 1))).toBeUndefined()
})

it('weighs what few characters of text become in memory', () => {
  expect(weightOf('я'.repeat(100))).toBeGreaterThanOrEqual(200)
  expect(weightOf(Array(1000).fill([]))).toBeGreaterThan(20_000)
  expect(weightOf({ key: 'x'.repeat(1000) })).toBeGreaterThan(1000)
})
