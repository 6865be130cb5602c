// The content of an exported file, read page by page in short transactions: neither the set nor a long conversation is ever in memory as a whole.
import { ReadableStream } from 'node:stream/web'
import type { Database, OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ExportedSet } from '#shared/messaging/exports.ts'
import { listMessagesAfter } from '../inbox/messages.store.ts'
import type { ExportedConversation, ExportedPiece, ExportWriter } from './exports.rules.ts'
import { listChosen } from './exports.store.ts'

const CONVERSATIONS_A_PAGE = 50
const MESSAGES_A_PAGE = 200

/** Whose rows are read, and where. */
export type Reader = { database: Database; organizationId: Id<'organizations'> }

/** A conversation and its messages, oldest first. @param ids with the conversations it is shown as one with: their messages come in one order */
export async function* readConversation(
  reader: Reader,
  conversation: ExportedConversation,
  ids = [conversation._id],
): AsyncGenerator<ExportedPiece> {
  yield { conversation }
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    const page = await read(reader, (ctx) => listMessagesAfter(ctx, ids, from, MESSAGES_A_PAGE))
    yield { messages: page.messages }
    after = page.through
  }
}

/** All conversations of a set, oldest first. `onDone` is called after each with how many are read; what it throws ends the reading. */
export async function* readChosen(
  reader: Reader,
  chosen: ExportedSet,
  onDone: (done: number) => Promise<void>,
): AsyncGenerator<ExportedPiece> {
  let done = 0
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const from: string | null = cursor ?? null
    const page = await read(reader, (ctx) => listChosen(ctx, chosen, from, CONVERSATIONS_A_PAGE))
    for (const conversation of page.conversations) {
      yield* readConversation(reader, conversation)
      await onDone(++done)
    }
    cursor = page.next
  }
}

/** The file, written as fast as the reader consumes it. */
export function fileOf(
  pieces: AsyncIterable<ExportedPiece>,
  writer: ExportWriter,
): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(encoded(pieces, writer)) as globalThis.ReadableStream<Uint8Array>
}

async function* encoded(pieces: AsyncIterable<ExportedPiece>, writer: ExportWriter): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(writer.begin())
  for await (const piece of pieces) yield encoder.encode(writer.write(piece))
  yield encoder.encode(writer.end())
}

function read<T>({ database, organizationId }: Reader, run: (ctx: OrgStoreContext) => Promise<T>): Promise<T> {
  return database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true })
}
