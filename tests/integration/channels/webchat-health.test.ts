// How a web chat is doing, as the team sees it: who has it open, and whether the way from a visitor's browser and back works. And which face it has.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { VisitorSession, WidgetSettings } from '#shared/channels/webchat.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const texts = { greeting: '', offline: '' }
const LOOK = { title: 'Shop', color: '#2f5d50', position: 'right', hasAvatar: true, takesFiles: true } as const
const WIDGET: WidgetSettings = { ...LOOK, texts: { ru: texts, en: texts }, domains: [] }

let app: TestApp
let person: Person
let widget: ChannelConnection
beforeAll(async () => {
  app = await startApp({})
  person = await app.signUp()
  const agent = await person.http.mutation(api.agents.create, { name: 'Helper' })
  widget = await person.http.action(api.channels.webchat.provision, { agentId: agent._id, widget: WIDGET })
})
afterAll(() => app.close())

const door = (path: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/webchat/${widget.externalAccountId}/${path}`, init)
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  door(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('the health of a web chat', () => {
  it('says how many visitors have it open, and forgets them when they have left', async () => {
    const isOpen = (count: number) =>
      vi.waitFor(async () => {
        const health = await person.http.query(api.channelConnections.health, { connectionId: widget._id })
        expect(health.openStreams).toBe(count)
      }, 45_000)
    await isOpen(0)
    const controller = new AbortController()
    const { token } = (await (await post('session', {})).json()) as VisitorSession
    const following = { headers: { authorization: `Bearer ${token}` }, signal: controller.signal }
    for (let count = 0; count < 2; count++) await door('chat', following)
    await isOpen(2)
    controller.abort()
    await isOpen(0)
  })

  it('names the last site that was not allowed to show it, once a minute, until the list is saved', async () => {
    const key = widget.externalAccountId
    const open = (referer: string, dest = 'iframe') =>
      fetch(`${app.url}/widget/${key}`, { headers: { referer, 'sec-fetch-dest': dest } })
    const refused = async () =>
      (await person.http.query(api.channelConnections.health, { connectionId: widget._id })).refusedSite
    const save = (domains: string[]) =>
      person.http.mutation(api.channels.webchat.update, { connectionId: widget._id, widget: { ...WIDGET, domains } })
    await open('https://shop.example/', 'document')
    await open('https://user@/')
    expect(await refused()).toBeNull()
    await open('https://shop.example/')
    await open('https://other.example/')
    expect(await refused()).toEqual({ site: 'shop.example', at: expect.any(Number) })
    await save(['shop.example'])
    expect(await refused()).toBeNull()
    await open('https://shop.example/')
    expect(await refused()).toBeNull()
    await save([])
  })

  it('is looked at by the team only', async () => {
    const stranger = await app.signUp()
    const asked = stranger.http.query(api.channelConnections.health, { connectionId: widget._id })
    await expect(asked).rejects.toMatchObject({ data: { code: 'not_found' } })
  })
})

it('shows the agent’s picture of the gallery, or none where none is wanted', async () => {
  const sessionOf = async () => (await (await post('session', {})).json()) as VisitorSession
  await person.http.mutation(api.agents.update, { id: widget.agentId, patch: { avatar: 'gallery:thumbs:help' } })
  const { avatar } = (await sessionOf()).widget
  const face = await fetch(new URL(avatar ?? '', app.url))
  expect(face.headers.get('content-type')).toBe('image/svg+xml')
  expect(face.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await face.text()).toMatch(/^<svg /)
  const hidden = { connectionId: widget._id, widget: { ...WIDGET, hasAvatar: false } }
  await person.http.mutation(api.channels.webchat.update, hidden)
  expect((await sessionOf()).widget.avatar).toBeNull()
  expect((await door('face')).status).toBe(404)
})

describe('the test of a web chat', () => {
  it('goes the way of a visitor and back, and reaches no customer and no agent', async () => {
    const checks = await person.http.action(api.channelConnections.test, { connectionId: widget._id })
    expect(checks).toMatchObject([
      { check: 'page', outcome: 'passed' },
      { check: 'receiving', outcome: 'passed', reason: null },
      { check: 'stream', outcome: 'passed', reason: null },
    ])
    const pages = { paginationOpts: { numItems: 1, cursor: null } }
    expect((await person.http.query(api.conversations.list, pages)).page).toEqual([])
  })

  it('believes nothing that was not signed here', async () => {
    const answer = await post('probe', { probe: 1 }, { 'x-parley-probe': 'a'.repeat(64) })
    expect(answer.status).toBe(403)
    expect((await post('probe', { probe: 1 })).status).toBe(403)
  })
})
