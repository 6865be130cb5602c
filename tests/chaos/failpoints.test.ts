// A server that dies once at every named moment of its code, beside a second one on PostgreSQL. Embedded, where a start takes long, a third of
// the moments, another one every day. Twenty times each, on both: `npm run chaos:moments`.
import { expect, it } from 'vitest'
import { FAILPOINTS } from '#server/lib/failpoints.ts'
import { createDatabase } from '#tests/database.ts'
import { crashEverywhere } from './failpoints.ts'

const DAY_MS = 24 * 3_600_000

it('no message is lost, doubled, answered twice or charged twice at whatever moment a server dies', async () => {
  const server = process.env.TEST_DATABASE_URL
  const fresh = server ? await createDatabase(server) : undefined
  const turn = Math.floor(Date.now() / DAY_MS) % 3
  const labels = fresh ? FAILPOINTS : FAILPOINTS.filter((_, place) => place % 3 === turn)
  try {
    const { complaints, hit, ...figures } = await crashEverywhere({ databaseUrl: fresh?.url, times: 1, labels })
    console.log(figures)
    expect(complaints).toEqual([])
    expect(Object.keys(hit).sort()).toEqual([...labels].sort())
  } finally {
    await fresh?.drop()
  }
}, 900_000)
