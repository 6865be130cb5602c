// What the slug cache remembers, for how long, and for whom.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetEntities, recallEntity, rememberEntity } from './slug-cache.ts'

const AGENT = { _id: 'a'.repeat(32), slug: 'support', name: 'Support' }
const MINUTE_MS = 60_000

describe('the slug cache', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    sessionStorage.clear()
  })
  afterEach(() => vi.useRealTimers())

  it('finds an agent by id and by slug', () => {
    rememberEntity('agent', 'org', AGENT)
    expect(recallEntity('agent', 'org', AGENT._id)).toMatchObject(AGENT)
    expect(recallEntity('agent', 'org', 'support')).toMatchObject(AGENT)
  })

  it('forgets after five minutes', () => {
    rememberEntity('agent', 'org', AGENT)
    vi.advanceTimersByTime(5 * MINUTE_MS - 1)
    expect(recallEntity('agent', 'org', 'support')).toBeDefined()
    vi.advanceTimersByTime(1)
    expect(recallEntity('agent', 'org', 'support')).toBeUndefined()
  })

  it('keeps organizations and kinds apart', () => {
    rememberEntity('agent', 'org', AGENT)
    expect(recallEntity('agent', 'another', 'support')).toBeUndefined()
    expect(recallEntity('knowledgeSpace', 'org', 'support')).toBeUndefined()
  })

  it('follows a changed name and slug', () => {
    rememberEntity('agent', 'org', AGENT)
    rememberEntity('agent', 'org', { ...AGENT, slug: 'help', name: 'Help' })
    expect(recallEntity('agent', 'org', AGENT._id)?.slug).toBe('help')
    expect(recallEntity('agent', 'org', 'support')).toBeUndefined()
  })

  it('survives damaged storage and is emptied at sign-out', () => {
    sessionStorage.setItem('parley-slugs-v2:agent:org', '{not json')
    expect(recallEntity('agent', 'org', 'support')).toBeUndefined()
    rememberEntity('agent', 'org', AGENT)
    forgetEntities()
    expect(recallEntity('agent', 'org', 'support')).toBeUndefined()
  })
})
