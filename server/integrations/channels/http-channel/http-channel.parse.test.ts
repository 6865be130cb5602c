// What programs may post, and the errors that they receive.
import fs from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseDelivery, problemOf } from './http-channel.parse.ts'

const hello = { type: 'message', chatId: '42', sender: { name: 'Anna' }, text: 'Hello' }
const parse = (event: unknown) => parseDelivery({ id: 'one', event })

describe('an event', () => {
  it('of the documentation is understood', async () => {
    const text = await fs.readFile(new URL('../../../../docs/http-channel.md', import.meta.url), 'utf8')
    const [, posted = ''] = text.split(/^## (?:Messages to|Events from) Parley$/m)
    const events = [...posted.matchAll(/^```json\n(.+?)^```/gms)]
      .flatMap(([, json = '']) => (json.startsWith('{\n') ? [json] : json.trim().split('\n')))
      .map((json) => JSON.parse(json) as unknown)
    expect(events.map((event) => problemOf(event))).toEqual(['', '', '', ''])
    expect(events.map((event) => parse(event).kind)).toEqual(['message', 'humanReply', 'receipt', 'receipt'])
  })

  it('is known by the id that it came with', () => {
    expect(parse(hello)).toEqual({
      kind: 'message',
      externalKey: 'one',
      chatId: '42',
      sender: { externalId: '42', name: 'Anna', username: null, language: null },
      text: 'Hello',
    })
  })

  it('may tell to which of our messages it replies', () => {
    expect(parse({ ...hello, replyTo: 'p1' })).toMatchObject({ kind: 'message', repliesTo: 'p1' })
    for (const replyTo of [null, undefined]) expect(parse({ ...hello, replyTo })).not.toHaveProperty('repliesTo')
  })

  it.each([
    ['image/png', 'image'],
    ['audio/ogg', 'audio'],
    ['video/mp4', 'video'],
    ['application/pdf', 'document'],
    [undefined, 'document'],
  ])('has attachments of the kind that %s tells: %s', (mimeType, kind) => {
    const inbound = parse({ ...hello, attachments: [{ url: 'https://files.example/1', mimeType }] })
    expect(inbound).toMatchObject({ attachments: [{ kind, fileId: 'https://files.example/1' }] })
  })

  it.each([
    [null, 'expected object'],
    [{ ...hello, sender: {} }, 'sender.name'],
    [{ ...hello, text: '' }, 'a message needs a text or an attachment'],
    [{ ...hello, text: 'x'.repeat(32_001) }, 'text'],
    [{ ...hello, author: 'robot' }, 'author'],
    [{ type: 'message', author: 'human', chatId: '42', text: ' ' }, 'text'],
    [{ type: 'receipt', status: 'failed' }, 'messageId'],
  ])('like %j is not understood, with the reason', (event, reason) => {
    expect(problemOf(event)).toContain(reason)
    expect(parse(event)).toEqual({ kind: 'unknown', externalKey: 'one' })
  })
})
