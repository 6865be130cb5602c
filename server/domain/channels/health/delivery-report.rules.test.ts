// Whether a provider's last failure to deliver is over.
import { expect, it } from 'vitest'
import { lastingError, takenBy } from './delivery-report.rules.ts'

const FAILED = { at: 1000, text: 'Connection refused' }

it.each([
  ['nothing has failed', { pending: 3, lastError: null }, 999, null],
  ['nothing waits', { pending: 0, lastError: FAILED }, 999, null],
  ['the report leaves out what waits', { pending: null, lastError: FAILED }, 999, null],
  ['something was delivered since', { pending: 3, lastError: FAILED }, 1001, null],
  ['nothing was delivered since', { pending: 3, lastError: FAILED }, 999, FAILED.text],
])('%s', (_, report, heardAt, lasting) => {
  expect(lastingError(report, new Date(heardAt))).toBe(lasting)
})

it.each([
  ['nowhere', null, null],
  ['to our address of before', 'https://old.example/webhooks/telegram/lot', null],
  ['to another account of ours', 'https://parley.example/webhooks/telegram/other', null],
  ['to another host', 'https://elsewhere.example:8443/bot', 'elsewhere.example:8443'],
])('what is delivered %s is taken by no other program, or by the one that is named', (_, url, host) => {
  const taken = takenBy(url, 'lot', 'https://parley.example')
  expect(taken).toEqual(host && expect.stringContaining(host))
})
