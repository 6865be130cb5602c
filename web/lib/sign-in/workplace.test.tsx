// Which organization a tab works in, through reloads, links, other tabs and the loss of a membership.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Workplaces from './workplace.ts'

/** A page that is loaded: what is kept only in memory is gone. */
async function load(path = '/agents'): Promise<typeof Workplaces> {
  vi.resetModules()
  window.history.replaceState({ key: 'kept' }, '', path)
  const page = await import('./workplace.ts')
  page.takeAskedOrganization()
  return page
}

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => vi.restoreAllMocks())

const address = () => window.location.pathname + window.location.search + window.location.hash
const anna = { name: 'Hotel', userId: 'anna' }

describe('the organization of a tab', () => {
  it('is that of the session until the tab has one, and stays after a reload', async () => {
    const page = await load()
    expect(page.wantedOrganization()).toBe('current')
    page.settleWorkplace('o1')
    expect(page.wantedOrganization()).toBe('o1')
    expect((await load()).wantedOrganization()).toBe('o1')
  })

  it('comes by a link, which loses it from its address', async () => {
    const page = await load('/conversations/c1?message=m1&organization=o2#end')
    expect(page.wantedOrganization()).toBe('o2')
    expect(address()).toBe('/conversations/c1?message=m1#end')
    expect(window.history.state).toEqual({ key: 'kept' })
  })

  it('is, in a new tab, that of the tab used last', async () => {
    const page = await load()
    page.noteWorkplace({ organizationId: 'o1', ...anna })
    sessionStorage.clear()
    expect((await load()).wantedOrganization()).toBe('o1')
  })

  it('is another one in each of two tabs', async () => {
    const first = await load()
    first.noteWorkplace({ organizationId: 'o1', ...anna })
    const ofFirst = { ...sessionStorage }
    sessionStorage.clear()
    const second = await load('/agents?organization=o2')
    second.noteWorkplace({ organizationId: 'o2', ...anna })
    sessionStorage.clear()
    for (const [key, value] of Object.entries(ofFirst)) sessionStorage.setItem(key, value)
    expect((await load()).wantedOrganization()).toBe('o1')
    expect(first.wantedOrganization()).toBe('o1')
  })

  it('is left when the person does not belong to it, which is shown once and to them alone', async () => {
    const page = await load()
    page.noteWorkplace({ organizationId: 'o1', ...anna })
    expect(page.refuseWorkplace('o1')).toBe(true)
    expect(page.wantedOrganization()).toBe('current')
    expect(page.refuseWorkplace('current')).toBe(false)
    const next = await load()
    expect(next.takeLostWorkplace('anna')).toMatchObject({ name: 'Hotel' })
    expect(next.takeLostWorkplace('anna')).toBeNull()
    next.noteWorkplace({ organizationId: 'o1', ...anna })
    next.leaveWorkplace('o1')
    expect(next.takeLostWorkplace('boris')).toBeNull()
  })

  it('is forgotten at sign-out', async () => {
    const page = await load()
    page.noteWorkplace({ organizationId: 'o1', ...anna })
    page.forgetWorkplace()
    expect(page.wantedOrganization()).toBe('current')
    expect((await load()).wantedOrganization()).toBe('current')
  })

  it('is asked for again by a page that the browser brings back from its memory', async () => {
    const reload = vi.fn()
    const page = await load()
    page.noteWorkplace({ organizationId: 'o1', ...anna })
    vi.stubGlobal('location', { ...window.location, reload })
    const stop = page.watchReturns()
    const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
    show(true)
    sessionStorage.setItem('parley-workplace', JSON.stringify({ organizationId: 'o2' }))
    show(false)
    expect(reload).not.toHaveBeenCalled()
    show(true)
    expect(reload).toHaveBeenCalledOnce()
    stop()
    vi.unstubAllGlobals()
  })
})
