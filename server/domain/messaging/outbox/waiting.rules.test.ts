// Why a part of an answer cannot leave.
import { expect, it } from 'vitest'
import { waitOf } from './waiting.rules.ts'

const WELL = { isRefused: false, isFrozen: false, lastError: null }
const REFUSED = { ...WELL, isRefused: true, lastError: 'unauthorized: 401 Revoked' }

it.each([
  ['unauthorized: 401 Revoked', REFUSED, { why: 'refused', detail: '401 Revoked' }],
  ['temporary: waiting', { ...REFUSED, lastError: '401 Revoked' }, { why: 'refused', detail: '401 Revoked' }],
  ['unauthorized: 401 Revoked', WELL, null],
  [null, { ...WELL, isFrozen: true }, { why: 'frozen', detail: null }],
  ['suspended: 466 Monthly quota: exceeded', WELL, { why: 'unpaid', detail: '466 Monthly quota: exceeded' }],
  ['suspended: 400 instance account is expired', WELL, { why: 'unpaid', detail: '400 instance account is expired' }],
  ['suspended: 131031 locked', WELL, { why: 'frozen', detail: '131031 locked' }],
  [null, WELL, null],
  ['temporary: not connected', { ...WELL, lastError: 'conflict: webhook' }, null],
])('%s on %j is %j', (error, connection, wait) => {
  expect(waitOf(error, connection)).toEqual(wait)
})
