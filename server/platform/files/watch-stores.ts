// Detects that the servers of one database keep files in different places, and logs a warning: an upload through one of them can then be
// processed, opened and sent by that one only.
import { hostname } from 'node:os'
import type { Database } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { listOtherStores, recordStore } from './file-stores.store.ts'
import type { FileStore } from './files.ts'

/** Between two signs of life, milliseconds. */
const EVERY_MS = 60_000
/** A store that has not reported for this long is not in use. */
const IN_USE_MS = 3 * EVERY_MS

/** Looks once, then again and again; each other store is named once. @returns how to end it */
export async function watchFileStores(parts: {
  database: Pick<Database, 'silentRoot'>
  files: Pick<FileStore, 'id'>
  log: Pick<Logger, 'warn'>
}): Promise<() => void> {
  const named = new Set<string>()
  await look(parts, named)
  const timer = setInterval(() => void look(parts, named).catch(() => {}), EVERY_MS) // the next look comes soon enough
  timer.unref()
  return () => clearInterval(timer)
}

async function look(
  { database, files, log }: Parameters<typeof watchFileStores>[0],
  named: Set<string>,
): Promise<void> {
  const now = new Date()
  const ctx = { db: database.silentRoot } // no live query depends on it, and no work becomes due by it
  await recordStore(ctx, { id: files.id, host: hostname() }, now)
  const others = await listOtherStores(ctx, files.id, new Date(now.getTime() - IN_USE_MS))
  for (const { id, host } of others) {
    if (named.has(id)) continue
    named.add(id)
    log.warn(
      { store: files.id, otherStore: id, otherHost: host },
      `Another server of this database, on ${host}, keeps files in a data folder of its own. Documents that are uploaded through it are processed there only and cannot be opened here, and the other way round. Give all servers the same DATA_DIR/files, for example a network folder.`,
    )
  }
}
