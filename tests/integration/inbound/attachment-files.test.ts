// Files of attachments through the whole server: who may load them, and that none can run anything in a browser.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attachment } from '#shared/messaging/attachments.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

let telegram: FakeTelegram
let app: TestApp
let owner: Person
let token: string
let chat = 8000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram })
  owner = await app.signUp()
  const agent = await owner.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  await owner.http.action(api.channels.telegram.provision, { agentId: agent._id, botToken: token })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

/** The operator's view of an attachment that a customer sent. */
async function received(content: Record<string, unknown>, bytes: Uint8Array): Promise<Attachment> {
  chat++
  telegram.customerSends(token, chat, content, bytes)
  await telegram.waitForSent(chat)
  await app.settle()
  const pages = { paginationOpts: { numItems: 10, cursor: null } }
  const { page: conversations } = await owner.http.query(api.conversations.list, pages)
  const conversationId = conversations[0]?._id
  if (!conversationId) throw new Error('there is no conversation')
  const { page } = await owner.http.query(api.conversations.messages, { conversationId, ...pages })
  const attachment = page.flatMap((message) => message.attachments)[0]
  if (!attachment) throw new Error('there is no attachment')
  return attachment
}

const get = (url: string | null, bearer?: string) =>
  fetch(`${app.url}${url}`, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} })

describe('the file of an attachment', () => {
  it('is shown to the team, loaded from the channel once', async () => {
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const attachment = await received({ photo: [{ file_id: '$file', width: 4, height: 4 }] }, picture)
    expect(attachment).toMatchObject({ kind: 'image', status: 'failed', reason: 'not_configured' })
    const before = telegram.downloads.length
    for (const _ of [1, 2]) {
      const answer = await get(attachment.url, await owner.token())
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture)
    }
    expect(telegram.downloads.length).toBe(before)
  })

  it('is refused to everyone else', async () => {
    const attachment = await received({ document: { file_id: '$file', file_name: 'list.txt' } }, Buffer.from('prices'))
    const stranger = await app.signUp({ organization: 'Another shop' })
    expect((await get(attachment.url)).status).toBe(401)
    expect((await get(attachment.url, await stranger.token())).status).toBe(404)
    expect((await get(attachment.url, await owner.token())).status).toBe(200)
    expect((await get(`/api/files/attachments/${'0'.repeat(32)}`, await owner.token())).status).toBe(404)
  })

  it.each([
    ['a page', 'picture.png', '<script>alert(1)</script>'],
    ['an SVG', 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ])('that is %s, under any name, is downloaded and never rendered', async (_, name, content) => {
    const file = { document: { file_id: '$file', file_name: name, mime_type: 'application/octet-stream' } }
    const attachment = await received(file, Buffer.from(content))
    const answer = await get(attachment.url, await owner.token())
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('that the channel no longer provides is reported as missing, not as an error', async () => {
    telegram.faults.downloadsToFail = 2
    const attachment = await received({ document: { file_id: '$file', file_name: 'a.pdf' } }, Buffer.from('%PDF-'))
    expect(attachment).toMatchObject({ status: 'failed', reason: 'unavailable' })
    const answer = await get(attachment.url, await owner.token())
    expect(answer.status).toBe(502)
    expect(await answer.json()).toEqual({ code: 'file_not_loadable' })
  })
})
