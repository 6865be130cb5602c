// A few hard kills under load. The full fifty on either database, and stops and freezes: `npm run chaos`.
import { expect, it } from 'vitest'
import { createDatabase, testServer } from '#tests/database.ts'
import { runOrdeal } from './kill.ts'

async function kill(times: number, databaseUrl: string | undefined) {
  const { complaints, ...figures } = await runOrdeal({ blow: 'kill', times, databaseUrl })
  console.log(figures)
  expect(complaints).toEqual([])
  return figures
}

it('no message is lost, doubled, answered twice or charged twice when two servers on one PostgreSQL are killed', async () => {
  const fresh = await createDatabase(testServer())
  try {
    expect((await kill(4, fresh.url)).said).toBeGreaterThan(50)
  } finally {
    await fresh.drop()
  }
}, 900_000)

it('nor when a server with the database it runs itself is killed', async () => {
  expect((await kill(1, undefined)).said).toBeGreaterThan(10)
}, 900_000)
