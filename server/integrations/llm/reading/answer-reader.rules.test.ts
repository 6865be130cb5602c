// What a customer gets of what a model writes: whole, and cut anywhere in a stream.
import { describe, expect, it } from 'vitest'
import { CALLS, KNOWN_TOOLS } from '#tests/model-answers/calls.ts'
import { HONEST } from '#tests/model-answers/honest.ts'
import { THOUGHTS } from '#tests/model-answers/thoughts.ts'
import { AnswerReader, readAnswer } from './answer-reader.ts'

const SECRETS = /Purchase price|не говорить|"arguments"|search_knowledge|launch_rocket|<\|/

/** What can be seen after each piece, the end last. */
function seen(pieces: string[]): { views: string[]; reader: AnswerReader } {
  const reader = new AnswerReader(KNOWN_TOOLS)
  const views = pieces.map((piece) => {
    reader.add(piece)
    return reader.text
  })
  reader.end()
  return { views: [...views, reader.text], reader }
}

/** Every way to cut a text in two, and all its characters alone. */
function cuts(text: string): string[][] {
  return [[...text], ...Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)])]
}

const carriedOut = (reader: AnswerReader) =>
  reader.calls.filter(({ isValid }) => isValid).map(({ toolName, input }) => [toolName, JSON.parse(input)])

describe('reasoning', () => {
  it.each(THOUGHTS)('$name never reaches a customer', ({ sent, text }) => {
    expect(readAnswer(sent, KNOWN_TOOLS).text.trim()).toBe(text)
  })

  it.each(THOUGHTS)('$name is read alike wherever the stream is cut', ({ sent, text }) => {
    for (const pieces of cuts(sent)) {
      const { views, reader } = seen(pieces)
      expect(reader.text.trim()).toBe(text)
      if (!reader.isTakenBack) expect(views.filter((view) => SECRETS.test(view))).toEqual([])
    }
  })

  it('whose beginning stood in the prompt is taken back, and flagged', () => {
    expect(readAnswer('a secret</think>Hello').isTakenBack).toBe(true)
    expect(readAnswer('<think>a secret</think>Hello').isTakenBack).toBe(false)
  })
})

describe('a tool call in words', () => {
  it.each(CALLS)('($name) is never shown', ({ sent, text }) => {
    expect(readAnswer(sent, KNOWN_TOOLS).text.trim()).toBe(text)
  })

  it.each(CALLS)('($name) is carried out if it can be', ({ sent, calls }) => {
    const reader = readAnswer(sent, KNOWN_TOOLS)
    const unique = calls.filter(
      (call, at) => at === calls.findIndex((each) => JSON.stringify(each) === JSON.stringify(call)),
    )
    expect(carriedOut(reader)).toEqual(unique)
  })

  it.each(CALLS)('($name) is read alike wherever the stream is cut', ({ sent, text, calls }) => {
    for (const pieces of cuts(sent)) {
      const { views, reader } = seen(pieces)
      expect(reader.text.trim()).toBe(text)
      expect(carriedOut(reader)).toHaveLength(new Set(calls.map((call) => JSON.stringify(call))).size)
      expect(views.filter((view) => SECRETS.test(view))).toEqual([])
    }
  })
})

describe('an honest text', () => {
  it.each(HONEST)('(%s) comes through unchanged', (_, text) => {
    expect(readAnswer(text, KNOWN_TOOLS).text).toBe(text)
  })

  it.each(HONEST)('(%s) comes through unchanged wherever the stream is cut, and only grows', (_, text) => {
    for (const pieces of cuts(text)) {
      const { views } = seen(pieces)
      expect(views.at(-1)).toBe(text)
      expect(views.every((view) => text.startsWith(view))).toBe(true)
    }
  })
})
