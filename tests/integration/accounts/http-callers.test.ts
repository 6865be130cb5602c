// Authentication of plain HTTP requests: by realtime token, session token or cookie. Tried on the upload of documents.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let spaceId: string
let cookie: string

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  spaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Files' }))._id
  const signedIn = await app.auth('/sign-in/email', { body: { email: person.email, password: PASSWORD } })
  cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(() => app.close())

function upload(headers: Record<string, string>, space = spaceId) {
  const query = new URLSearchParams({ knowledgeSpaceId: space, name: 'note.txt' })
  return fetch(`${app.url}/api/files/documents?${query}`, { method: 'POST', headers, body: 'Opening hours: 9 to 18.' })
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('an upload is accepted', () => {
  it('with a realtime token', async () => {
    expect((await upload(bearer(await person.token()))).status).toBe(201)
  })

  it('with a session token', async () => {
    expect((await upload(bearer(person.sessionToken))).status).toBe(201)
  })

  it('with a cookie, from a page of our origin', async () => {
    expect((await upload({ cookie, origin: app.url })).status).toBe(201)
  })
})

describe('an upload is refused', () => {
  it('without credentials', async () => {
    expect((await upload({})).status).toBe(401)
  })

  it.each(['https://evil.test', 'null', ''])('with a cookie, from a page of origin %j', async (origin) => {
    expect((await upload({ cookie, ...(origin && { origin }) })).status).toBe(401)
  })

  it('with a token that was never issued', async () => {
    const [head = '', payload = ''] = (await person.token()).split('.')
    for (const token of ['x', 'x.y', 'x.y.z', `${head}.${payload}.AAAA`, newId(), `${person.sessionToken}x`]) {
      expect((await upload(bearer(token))).status, token).toBe(401)
    }
  })

  it('to a user without an organization, and into a space of another one', async () => {
    const [alone, stranger] = [await app.signUp({ organization: null }), await app.signUp()]
    expect((await upload(bearer(await alone.token()))).status).toBe(403)
    expect((await upload(bearer(await stranger.token()))).status).toBe(404)
    expect((await upload(bearer(await stranger.token()), newId())).status).toBe(404)
  })

  it('after the session has ended, though the token is not expired', async () => {
    const leaving = await app.signUp()
    const token = await leaving.token()
    await app.auth('/sign-out', { token: leaving.sessionToken, method: 'POST' })
    expect((await upload(bearer(token))).status).toBe(401)
    expect((await upload(bearer(leaving.sessionToken))).status).toBe(401)
  })
})

it.each([
  ['POST', '/webhooks/telegram/a%00b'],
  ['POST', '/webhooks/whatsapp/a%00b'],
  ['GET', '/webhooks/whatsappCloud/a%00b'],
  ['POST', '/webhooks/max/a%00b'],
  ['POST', '/api/channels/http/a%00b/messages'],
  ['GET', '/api/v1/notes/a%00b'],
  ['GET', '/api/webchat/a%00b/face'],
  ['GET', '/widget/a%00b'],
  ['GET', '/talk/a%00b'],
  ['GET', '/files/avatars/a%00b.webp'],
  ['GET', '/a%00b'],
])('%s %s contains a character that no database stores, and does not fail', async (method, path) => {
  const headers = { ...bearer(person.sessionToken), 'content-type': 'application/json' }
  const answer = await fetch(app.url + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
  expect(answer.status).toBeLessThan(500)
})
