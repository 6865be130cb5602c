// Which checks a number passes.
import { describe, expect, it } from 'vitest'
import { type Findings, reportOf } from './whatsapp.rules.ts'

const well: Findings = { state: 'authorized', webhookUrl: null, isTelling: true, waiting: 0 }
const failed = (findings: Findings | null, expectedUrl: string | null = null) =>
  reportOf(findings, expectedUrl).flatMap(({ check, outcome }) => (outcome === 'failed' ? [check] : []))

describe('a number', () => {
  it('in working order passes all checks', () => {
    expect(reportOf(well, null).map(({ outcome }) => outcome)).toEqual(Array(6).fill('passed'))
  })

  it('whose credentials are refused is checked no further', () => {
    expect(reportOf(null, null)).toMatchObject([{ outcome: 'failed' }, ...Array(5).fill({ outcome: 'skipped' })])
  })

  it.each<[string, Partial<Findings>, string[]]>([
    ['without a phone', { state: 'notAuthorized' }, ['phone']],
    ['that waits for a password', { state: 'pendingPassword' }, ['phone']],
    ['that is restricted', { state: 'yellowCard' }, ['sending']],
    ['that is suspended', { state: 'suspended' }, ['sending']],
    ['in an unknown state', { state: 'unknown' }, ['sending']],
    ['whose phone is off', { state: 'sleepMode' }, []],
    ['that tells nothing', { isTelling: false }, ['notifications']],
    ['that delivers elsewhere', { webhookUrl: 'https://elsewhere.example/' }, ['delivery']],
    ['whose provider holds messages', { waiting: 2 }, ['queue']],
  ])('%s fails just that check', (_, findings, checks) => {
    expect(failed({ ...well, ...findings })).toEqual(checks)
  })

  it('that should deliver and does not fails', () => {
    expect(failed(well, 'https://parley.example/webhooks/whatsapp/x')).toEqual(['delivery'])
  })
})
