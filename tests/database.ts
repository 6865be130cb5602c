// A fresh, migrated database for a test file: embedded in memory, or on the server that TEST_DATABASE_URL names.
import { pino } from 'pino'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open.ts'

export type TestDatabase = { database: Database; url?: string; close(): Promise<void> }

export async function openTestDatabase(): Promise<TestDatabase> {
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ databaseUrl: process.env.TEST_DATABASE_URL ?? 'memory', dataDir: '' }, log)
  return { database, close: () => database.close() }
}
