// In which order connections are handed out, on an engine that makes as many as requested.
import { describe, expect, it } from 'vitest'
import { onBehalfOf, organizationGroup, STRANGERS } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Id } from '#shared/ids.ts'
import type { Engine, Session } from './engine.ts'
import { connectionLimits, fairEngine, partyOf, systemParty } from './fair-connections.ts'

function openEngine(processors = 2) {
  let open = 0
  const acquire = async () => {
    open++
    return { release: () => open-- } as unknown as Session
  }
  const engine = fairEngine({ acquire } as unknown as Engine, connectionLimits(processors))
  return { engine, open: () => open }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const organization = (id: string) => ({ kind: 'organization', organizationId: id as Id<'organizations'> }) as const

describe('connections', () => {
  it('are never all held by one organization', async () => {
    const { engine, open } = openEngine()
    for (let at = 0; at < 100; at++) void engine.acquire(partyOf(organization('a')))
    await settled()
    expect(open()).toBe(12)
    await engine.acquire(partyOf(organization('b')))
    expect(open()).toBe(13)
  })

  it('go to another organization between two of one that has asked for hundreds', async () => {
    const { engine } = openEngine()
    const order: string[] = []
    const ask = async (id: string) => {
      const session = await engine.acquire(partyOf(organization(id)))
      order.push(id)
      await settled()
      session.release()
    }
    const all = Array.from({ length: 200 }, () => ask('hostile'))
    for (let at = 0; at < 5; at++) all.push(ask('neighbour'))
    await Promise.all(all)
    expect(order.lastIndexOf('neighbour')).toBeLessThan(50)
  })

  it('are given back after a failure to connect', async () => {
    const engine = fairEngine({ acquire: () => Promise.reject(new Error('away')) } as unknown as Engine)
    for (let at = 0; at < 40; at++) await expect(engine.acquire(partyOf(organization('a')))).rejects.toThrow('away')
  })

  it('of strangers are few together, from however many addresses they come', async () => {
    const { engine, open } = openEngine()
    await engine.acquire(partyOf(organization('a')))
    for (let at = 0; at < 50; at++)
      onBehalfOf({ group: STRANGERS, member: `address ${at}` }, () => void engine.acquire(partyOf({ kind: 'none' })))
    await settled()
    expect(open()).toBe(1 + 3)
  })
})

describe('who pays', () => {
  const stranger = { group: STRANGERS, member: 'address' }

  it('is the organization whose rows are seen, with the caller as its member', () => {
    const party = onBehalfOf(stranger, () => partyOf(organization('a')))
    expect(party).toEqual({ group: organizationGroup('a'), member: 'address' })
  })

  it('is the caller where no organization is seen, and the server for its own work', () => {
    expect(onBehalfOf(stranger, () => partyOf({ kind: 'none' }))).toEqual(stranger)
    expect(partyOf({ kind: 'none' })).toEqual(systemParty())
    expect(onBehalfOf(stranger, systemParty)).toEqual({ group: systemParty().group, member: 'address' })
  })
})
