// JSON → blocks: every record of a list as lines of "path: value".
import type { Block, ParsedFile } from '../chunking/blocks.ts'
import { decode } from './encoding/encoding.ts'
import { jsonErrorAt } from './json-error.ts'
import { ParseFailure } from './parse-failure.ts'

type Json = string | boolean | null | Json[] | { [key: string]: Json }

/** Data that is nested deeper was not made for people to read. */
const DEPTH_MAX = 100

/** @throws ParseFailure invalid_json with line and column, damaged when it is nested without end */
export function parseJson(bytes: Uint8Array, chosen: string | null = null): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes, false, chosen)
  return {
    blocks: blocksOf(read(text), 1),
    pageCount: null,
    warnings: isGuess ? [{ kind: 'encoding_guessed', encoding }] : [],
  }
}

function read(text: string): Json {
  const json = text.replace(/^\uFEFF/, '')
  if (json.trim() === '') throw new ParseFailure('empty')
  try {
    return JSON.parse(json, asWritten as (key: string, value: unknown) => unknown) // the types do not know the third argument yet
  } catch (error) {
    if (error instanceof RangeError) throw new ParseFailure('damaged', { cause: error }) // nested without end
    throw new ParseFailure('invalid_json', { cause: error, at: jsonErrorAt(json) })
  }
}

/** A number keeps its digits: as one of the language, a long one would lose some, and 1.10 its last. */
function asWritten(_: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined ? source : value
}

/** Every record of a list is a block, under a heading with the name of the list; other values of an object are one block. */
function blocksOf(value: Json, level: number): Block[] {
  if (level > DEPTH_MAX) throw new ParseFailure('damaged')
  if (Array.isArray(value) && !isPlain(value)) return value.flatMap((record) => itemOf(linesOf(record, '')))
  if (!isObject(value)) return itemOf(linesOf(value, ''))
  const own: string[] = []
  const deeper: Block[][] = []
  for (const [name, child] of Object.entries(value)) {
    if (isPlain(child)) own.push(...linesOf(child, name))
    else deeper.push([{ kind: 'heading', level, text: name, page: null }], blocksOf(child, level + 1))
  }
  return [...itemOf(own), ...deeper.flat()]
}

function itemOf(lines: string[]): Block[] {
  return lines.length > 0 ? [{ kind: 'item', text: lines.join('\n'), page: null }] : []
}

/** "path: value" for every value in it; a list of values is one line. */
function linesOf(value: Json, path: string, depth = 0): string[] {
  if (depth > DEPTH_MAX) throw new ParseFailure('damaged')
  if (value === null || value === '') return []
  if (isPlain(value)) {
    const text = Array.isArray(value) ? value.filter((each) => each !== null).join(', ') : String(value)
    return [path ? `${path}: ${text}` : text]
  }
  const entries: [string, Json][] = Array.isArray(value)
    ? value.map((each, index) => [String(index + 1), each])
    : Object.entries(value)
  return entries.flatMap(([key, child]) => linesOf(child, path ? `${path}.${key}` : key, depth + 1))
}

/** A value, or a list of values alone. */
function isPlain(value: Json): boolean {
  return Array.isArray(value) ? value.every((each) => !isObject(each) && !Array.isArray(each)) : !isObject(value)
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
