// Servers of one database that keep files in different places are warned, once each.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { watchFileStores } from './watch-stores.ts'

let test: TestDatabase
let ends: (() => void)[]
beforeEach(async () => {
  test = await openTestDatabase()
  ends = []
})
afterEach(async () => {
  for (const end of ends) end()
  await test.close()
})

/** Starts a server with this store. @returns its warnings */
async function start(id: string): Promise<string[]> {
  const warnings: string[] = []
  const log = { warn: (...logged: unknown[]) => void warnings.push(String(logged[1])) }
  ends.push(await watchFileStores({ database: test.database, files: { id }, log }))
  return warnings
}

it('says at the start that another server keeps files elsewhere, and what to do', async () => {
  expect(await start(randomUUID())).toEqual([])
  const warnings = await start(randomUUID())
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/keeps files in a data folder of its own[\s\S]*Give all servers the same DATA_DIR\/files/)
})

it('says nothing of servers that share a folder', async () => {
  const shared = randomUUID()
  await start(shared)
  expect(await start(shared)).toEqual([])
})
