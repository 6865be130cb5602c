// The thread of a test's embedded database, in the place of server/db/embedded.worker.ts: closed, it goes back to its beginning and can be
// the next test's. Not with what cannot be taken back, a library that was loaded: then closing fails, and the thread is thrown away.
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { answerCalls } from '#server/db/embedded.calls.ts'
import { openInMemory } from '#server/db/embedded.memory.ts'
import type { WorkerStart } from '#server/db/embedded.protocol.ts'
import { rememberMoment } from './rewind.ts'

if (!parentPort) throw new Error('embedded-thread.ts runs as a worker thread')

const database = await openInMemory((workerData as WorkerStart).dump)
await loadLibraries(database)
const loaded = await listLibraries(database)
const goBack = rememberMoment(database)

answerCalls(parentPort, database, async (calls) => {
  await calls.abandon()
  if ((await listLibraries(database)) !== loaded) throw new Error('A library was loaded, and stays.')
  await database.runExclusive(async () => goBack())
})

/** All that any function of the database is in. */
async function loadLibraries(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ library: string }>(
    'select distinct probin as library from pg_proc where probin is not null order by 1',
  )
  for (const { library } of rows) await database.exec(`load '${library}'`)
}

async function listLibraries(database: PGlite): Promise<string> {
  const { rows } = await database.query('select file_name from pg_get_loaded_modules() order by 1')
  return JSON.stringify(rows)
}
