// A server that dies once at named moments of its code while another one lives: a sixth of the moments, other ones every day. All of them,
// twenty times each: `npm run chaos:moments`.
import { expect, it } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { crashEverywhere, MESSAGE_FAILPOINTS } from './failpoints.ts'
import { turnOfDay } from './turn-of-day.ts'

it('no message is lost, doubled, answered twice or charged twice at whatever moment a server dies', async () => {
  const fresh = await createMigratedDatabase()
  const labels = turnOfDay(MESSAGE_FAILPOINTS, 6)
  try {
    const { complaints, hit, ...figures } = await crashEverywhere({ databaseUrl: fresh.url, times: 1, labels })
    console.log(figures)
    expect(complaints).toEqual([])
    expect(Object.keys(hit).sort()).toEqual([...labels].sort())
  } finally {
    await fresh.drop()
  }
}, 900_000)
