// How messages are grouped into days and runs.
import { describe, expect, it } from 'vitest'
import type { Message } from '#shared/messaging/conversations.ts'
import type { Note } from '#shared/messaging/operator-tools.ts'
import { foldNotes, timeline } from './timeline.ts'

const at = (text: string) => Date.parse(text)
let count = 0

function message(createdAt: number, author: Message['author'] = 'customer', authorName: string | null = null): Message {
  count += 1
  return {
    _id: `m${count}` as Message['_id'],
    conversationId: 'c' as Message['conversationId'],
    author,
    authorName,
    operator: null,
    text: `text ${count}`,
    quoted: null,
    forwarded: null,
    editedAt: null,
    status: 'complete',
    reason: null,
    turnId: null,
    agentVersion: null,
    createdAt,
    sources: [],
    generation: null,
    attachments: [],
    parts: [],
    choices: [],
    unfounded: [],
    deliveries: [],
  }
}

it('places a note of the team between the messages by time', () => {
  const note = {
    _id: 'n',
    author: null,
    text: 'Hm',
    mentions: [],
    createdAt: Date.parse('2026-03-01T10:01:30Z'),
  } as unknown as Note
  const last = { ...note, _id: 'last' as Note['_id'], createdAt: Date.parse('2026-03-01T12:00:00Z') }
  const messages = ['10:00', '10:01', '10:02'].map((time) => message(at(`2026-03-01T${time}:00Z`)))
  const [day] = timeline(messages, 'UTC', [note, last])
  expect(day?.runs.map((run) => run.note?._id ?? run.messages.length)).toEqual([2, 'n', 1, 'last'])
})

describe('the timeline of a conversation', () => {
  it('is empty without messages', () => {
    expect(timeline([])).toEqual([])
  })

  it('begins a new day at midnight in the time zone of the reader, not UTC', () => {
    const messages = [message(at('2026-03-01T18:30:00Z')), message(at('2026-03-01T19:30:00Z'))]
    expect(timeline(messages, 'Asia/Almaty').map((day) => day.key)).toEqual(['2026-03-01', '2026-03-02'])
    expect(timeline(messages, 'UTC').map((day) => day.key)).toEqual(['2026-03-01'])
  })

  it('groups messages of one author in quick succession under one name', () => {
    const start = at('2026-03-01T10:00:00Z')
    const [day] = timeline([message(start), message(start + 60_000), message(start + 120_000, 'agent')], 'UTC')
    expect(day?.runs.map((run) => [run.author, run.messages.length])).toEqual([
      ['customer', 2],
      ['agent', 1],
    ])
  })

  it('separates two operators who answer one after the other', () => {
    const start = at('2026-03-01T10:00:00Z')
    const [day] = timeline([message(start, 'operator', 'Anna'), message(start + 1000, 'operator', 'Boris')], 'UTC')
    expect(day?.runs.map((run) => run.authorName)).toEqual(['Anna', 'Boris'])
  })

  it('begins a new run after a silence of five minutes', () => {
    const start = at('2026-03-01T10:00:00Z')
    const [day] = timeline([message(start), message(start + 299_999), message(start + 599_999)], 'UTC')
    expect(day?.runs.map((run) => run.messages.length)).toEqual([2, 1])
  })

  it('drops and reorders nothing', () => {
    const start = at('2026-03-01T23:58:00Z')
    const messages = Array.from({ length: 20 }, (_, index) =>
      message(start + index * 40_000, index % 3 === 0 ? 'agent' : 'customer'),
    )
    const drawn = timeline(messages, 'UTC').flatMap((day) => day.runs.flatMap((run) => run.messages))
    expect(drawn.map((each) => each._id)).toEqual(messages.map((each) => each._id))
  })
})

describe('lines of the system', () => {
  it('that are equal and in a row are grouped, apart from different ones', () => {
    const line = (reason: string) => ({ ...message(0, 'system'), text: '', reason })
    const lines = ['outside_hours', 'outside_hours', 'nobody_came', 'outside_hours'].map(line)
    expect(foldNotes(lines).map((equal) => equal.map(({ reason }) => reason))).toEqual([
      ['outside_hours', 'outside_hours'],
      ['nobody_came'],
      ['outside_hours'],
    ])
  })
})
