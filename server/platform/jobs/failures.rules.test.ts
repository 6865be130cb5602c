// Causes of failed jobs: named by kind and code, never in the words of the error.
import { expect, it } from 'vitest'
import { causeOf, type KeptFailure } from './failures.rules.ts'

const NOTHING: KeptFailure = { name: null, code: null, kind: null, message: null }

it.each<[string, Partial<KeptFailure>, ReturnType<typeof causeOf>]>([
  ['ran too long', { message: 'job timed out' }, { kind: 'timeout', detail: null }],
  ['was aborted', { name: 'TimeoutError', code: '23' }, { kind: 'timeout', detail: null }],
  ['lost its server', { message: 'job heartbeat timeout' }, { kind: 'lost', detail: null }],
  ['could not reach a host', { name: 'Error', code: 'ECONNREFUSED' }, { kind: 'network', detail: 'ECONNREFUSED' }],
  ['was refused by the database', { name: 'error', code: '23505' }, { kind: 'database', detail: '23505' }],
  ['was refused by a provider', { name: 'AdapterError', kind: 'blocked' }, { kind: 'provider', detail: 'blocked' }],
  ['was refused by a rule', { name: 'AppError', code: 'storage_full' }, { kind: 'refused', detail: 'storage_full' }],
  ['is a mistake', { name: 'TypeError', message: 'x of +7 701 000 00 00' }, { kind: 'program', detail: 'TypeError' }],
  ['threw a text', { name: 'Anna <anna@example.com>', code: 'sk-1 2' }, { kind: 'program', detail: null }],
  ['threw nothing', {}, { kind: 'program', detail: null }],
])('a job that %s', (_, kept, cause) => {
  expect(causeOf({ ...NOTHING, ...kept })).toEqual(cause)
})
