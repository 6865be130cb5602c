// A server that dies once at named moments of its code while another one lives: a third of the moments, other ones every day. All of them,
// twenty times each: `npm run chaos:moments`.
import { expect, it } from 'vitest'
import { FAILPOINTS } from '#server/platform/lib/failpoints.ts'
import { createMigratedDatabase } from '#tests/database.ts'
import { crashEverywhere } from './failpoints.ts'

const DAY_MS = 24 * 3_600_000

it('no message is lost, doubled, answered twice or charged twice at whatever moment a server dies', async () => {
  const fresh = await createMigratedDatabase()
  const turn = Math.floor(Date.now() / DAY_MS) % 3
  const labels = FAILPOINTS.filter((_, place) => place % 3 === turn)
  try {
    const { complaints, hit, ...figures } = await crashEverywhere({ databaseUrl: fresh.url, times: 1, labels })
    console.log(figures)
    expect(complaints).toEqual([])
    expect(Object.keys(hit).sort()).toEqual([...labels].sort())
  } finally {
    await fresh.drop()
  }
}, 900_000)
