// Everything that is stored of one customer, as the files of an archive: who they are, all messages, the team's notes, the files they sent.

import type { Services } from '#server/functions/services.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ZippedFile } from '#server/platform/lib/zip.ts'
import type { Id } from '#shared/ids.ts'
import { listOtherIds, listOwn } from '../compliance/erasure.store.ts'
import { fileOf, readConversation } from '../compliance/exports.read.ts'
import { exportWriter } from '../compliance/exports.rules.ts'
import { getContact, listPerson } from '../customers/contacts.store.ts'
import { loadFile } from '../files/attachments.files.ts'
import { type AttachmentFile, listWithFile } from '../files/attachments.store.ts'
import { getConversation } from '../inbox/conversations.store.ts'
import { listNotes } from '../team/notes.store.ts'

type Parts = Pick<Services, 'database' | 'files' | 'channels' | 'secrets'>
/** Whose data it is, and where. */
export type OneCustomer = { organizationId: Id<'organizations'>; customerId: Id<'customers'> }

/** Timeout for one file that a channel is asked for. */
const LOAD_MS = 30_000
const JSON_MANNER = { format: 'json', language: 'en', timeZone: 'UTC' } as const

/** @throws AppError not_found before the first file */
export async function readCustomer(parts: Parts, { organizationId, customerId }: OneCustomer) {
  const read = <T>(run: (ctx: OrgStoreContext) => Promise<T>): Promise<T> =>
    parts.database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true })
  const { contact, otherIds, conversationIds } = await read(async (ctx) => {
    const people = await listPerson(ctx, customerId)
    return {
      contact: await getContact(ctx, customerId),
      otherIds: (await listOtherIds(ctx, people)).map(({ externalId }) => externalId),
      conversationIds: await listOwn(ctx, people, false),
    }
  })
  async function* files(): AsyncGenerator<ZippedFile> {
    const { conversations: _, ...known } = contact
    yield json('customer.json', otherIds.length > 0 ? { ...known, otherIds } : known)
    for (const id of conversationIds) {
      const conversation = await read((ctx) => getConversation(ctx, id))
      const pieces = readConversation({ database: parts.database, organizationId }, conversation)
      const content = fileOf(pieces, exportWriter(JSON_MANNER, Date.now()))
      yield {
        name: `conversations/${id}.json`,
        isPacked: true,
        content: content as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>,
      }
      const notes = await read((ctx) => listNotes(ctx, [id]))
      if (notes.length > 0) yield json(`notes/${id}.json`, notes)
    }
    yield* sent(parts, organizationId, await read((ctx) => listWithFile(ctx, conversationIds)))
  }
  return files()
}

/** Files one after the other; those that are unavailable are listed at the end. */
async function* sent(
  parts: Parts,
  organizationId: Id<'organizations'>,
  attachments: Pick<AttachmentFile, 'id' | 'name'>[],
): AsyncGenerator<ZippedFile> {
  const missing: typeof attachments = []
  for (const { id, name } of attachments) {
    const file = await loadFile(parts, organizationId, id, AbortSignal.timeout(LOAD_MS)).catch((error: unknown) => {
      if (error instanceof MediaFailure) return null
      throw error
    })
    if (file) yield { name: `files/${id}-${safeName(name)}`, isPacked: false, content: once(file.bytes) }
    else missing.push({ id, name })
  }
  if (missing.length > 0) yield json('files/missing.json', missing)
}

function json(name: string, value: unknown): ZippedFile {
  return { name, isPacked: true, content: once(new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A name without anything that could lead out of a folder. */
function safeName(name: string | null): string {
  return (name ?? 'file').replace(/[\p{C}\\/:*?"<>|]+/gu, '-').slice(-100)
}
