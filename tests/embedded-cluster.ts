// A data folder with a database that is made, migrated and empty, for servers that tests start as processes of their own.
import fs from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '#server/db/open.ts'
import { CACHE_FOLDER, schemaVersion } from './database.ts'

/** Puts the database into a data folder, where the server looks for it. */
export async function putDatabase(dataDir: string): Promise<void> {
  fs.cpSync(await migratedCluster(), path.join(dataDir, 'postgres'), { recursive: true })
}

/** The folder of the database, stopped; made once for each state of the schema. */
export async function migratedCluster(): Promise<string> {
  const made = path.join(CACHE_FOLDER, `cluster-${schemaVersion()}`)
  if (fs.existsSync(made)) return made
  fs.mkdirSync(CACHE_FOLDER, { recursive: true })
  const dataDir = fs.mkdtempSync(path.join(CACHE_FOLDER, 'unfinished-'))
  const database = await openDatabase({ databaseUrl: undefined, dataDir }, pino({ level: 'silent' }))
  await database.close()
  try {
    fs.renameSync(path.join(dataDir, 'postgres'), made)
  } catch (error) {
    if (!fs.existsSync(made)) throw error // another process was faster
  }
  fs.rmSync(dataDir, { recursive: true, force: true })
  return made
}
