// Twenty hard kills under load, most of them of two servers on one PostgreSQL. The full fifty on either, and stops and freezes:
// `npm run chaos`.
import { expect, it } from 'vitest'
import { createDatabase } from '#tests/database.ts'
import { runOrdeal } from './kill.ts'

const KILLS = { embedded: 8, postgres: 12 }

it('no message is lost, doubled, answered twice or charged twice when servers are killed', async () => {
  const server = process.env.TEST_DATABASE_URL
  const fresh = server ? await createDatabase(server) : undefined
  try {
    const { complaints, ...figures } = await runOrdeal({
      blow: 'kill',
      times: fresh ? KILLS.postgres : KILLS.embedded,
      databaseUrl: fresh?.url,
    })
    console.log(figures)
    expect(complaints).toEqual([])
    expect(figures.said).toBeGreaterThan(100)
  } finally {
    await fresh?.drop()
  }
}, 900_000)
