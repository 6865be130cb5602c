// Removes what lies in the file store and belongs to nothing: files whose row was never written, and halves of uploads that a kill cut off.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { listNamed } from './files.store.ts'

type SweepServices = Pick<Services, 'database' | 'files'>

/** Longer than any upload takes, milliseconds. */
export const UNNAMED_AFTER_MS = 24 * 3_600_000
const KEYS_A_QUERY = 1000
/** Files of documents and tables have ids for keys. What others store carries a word before it and is theirs to remove. */
const KNOWLEDGE_FILE = /^[0-9a-v]{32}$/
const HALF = /\.part-/

/** Daily, on every machine that has files. */
export const sweepFilesJob = defineJob<object, SweepServices>({
  name: 'knowledge.sweep-files',
  limitSeconds: 600,
  concurrency: 1,
  isLocal: true,
  schedule: '23 3 * * *',
  run: (services) => sweepFiles(services, new Date()),
})

/** Safe to repeat. */
export async function sweepFiles({ database, files }: SweepServices, now: Date): Promise<void> {
  const old = await files.listBefore(new Date(now.getTime() - UNNAMED_AFTER_MS))
  for (const key of old.filter((each) => HALF.test(each))) await files.remove(key)
  const keys = old.filter((each) => KNOWLEDGE_FILE.test(each))
  for (let at = 0; at < keys.length; at += KEYS_A_QUERY) {
    const some = keys.slice(at, at + KEYS_A_QUERY)
    const named = await database.system('knowledge: stored files', (db) => listNamed({ db }, some), { readOnly: true })
    for (const key of some) if (!named.has(key)) await files.remove(key)
  }
}
