// The files of a test chat.
import { describe, expect, it } from 'vitest'
import type { Message } from '#shared/messaging/conversations.ts'
import { EXPORT_FORMATS, type ExportedChat, type ExportWords, exportChat } from './export.rules.ts'

const words: ExportWords = {
  title: 'Test chat with Robo',
  author: ({ author }) => (author === 'customer' ? 'Anna' : 'Robo'),
  textOf: ({ text, reason }) => text || `(${reason})`,
  kindOf: ({ kind }) => kind,
  time: (at) => new Date(at).toISOString(),
}

function message(author: Message['author'], text: string, more: Partial<Message> = {}): Message {
  return {
    author,
    text,
    createdAt: 0,
    status: 'complete',
    reason: null,
    sources: [],
    attachments: [],
    choices: [],
    ...more,
  } as Message
}

const chat: ExportedChat = {
  agent: { name: 'Robo', slug: 'robo' },
  chats: {
    a: [
      message('customer', 'When are you open?'),
      message('agent', 'From **nine**.\nEvery day.'),
      message('customer', 'Hello?'),
      message('system', '', { reason: 'outside_hours' }),
    ],
    b: [],
  },
  at: new Date(2026, 2, 1, 12).getTime(),
}

describe('an exported test chat', () => {
  it.each(EXPORT_FORMATS)('is named after the agent and the date as a %s file', (format) => {
    expect(exportChat(chat, format, words).name).toBe(`robo-2026-03-01.${format}`)
  })

  it('holds the same turns in every format', () => {
    const turns = ['When are you open?', 'From **nine**.\nEvery day.', 'Hello?', '(outside_hours)']
    const json: { chats: { turns: { text: string }[] }[] } = JSON.parse(exportChat(chat, 'json', words).content)
    expect(json.chats.map((each) => each.turns.map(({ text }) => text))).toEqual([turns])
    for (const format of ['txt', 'md'] as const) {
      const { content } = exportChat(chat, format, words)
      const places = turns.map((text) => content.indexOf(text))
      expect(places.every((place) => place > 0)).toBe(true)
      expect(places).toEqual([...places].sort((one, other) => one - other))
    }
  })

  it('names attachments, with the text read from them', () => {
    const attachments = [
      { kind: 'voice', name: null, status: 'ready', text: 'Is it open?' },
      { kind: 'document', name: 'a.zip', status: 'failed', text: null },
    ] as Message['attachments']
    const given = { ...chat, chats: { a: [{ ...message('customer', ''), attachments }] } }
    const named = { ...words, textOf: ({ text }: Message) => text }
    expect(exportChat(given, 'txt', named).content).toMatch(/Z\n\[voice\] Is it open\?\n\[document a\.zip\]\n$/)
    expect(JSON.parse(exportChat(given, 'json', named).content).chats[0].turns[0].attachments).toEqual(attachments)
  })

  it('includes the choices below a message', () => {
    const given = { ...chat, chats: { a: [message('agent', 'Which?', { choices: ['Red', 'Blue'] })] } }
    expect(exportChat(given, 'md', words).content).toMatch(/Which\?\n\[Red\] \[Blue\]\n$/)
    expect(JSON.parse(exportChat(given, 'json', words).content).chats[0].turns[0].choices).toEqual(['Red', 'Blue'])
  })

  it('names both chats when there are two', () => {
    const both = { ...chat, chats: { ...chat.chats, b: [message('customer', 'Hi')] } }
    expect(exportChat(both, 'md', words).content).toMatch(/## A[\s\S]*## B[\s\S]*Hi/)
    expect(exportChat(chat, 'md', words).content).not.toContain('## A')
  })
})
