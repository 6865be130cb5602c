// Twelve hard kills under load. The full fifty: `npm run chaos`.
import { expect, it } from 'vitest'
import { createDatabase } from '#tests/database.ts'
import { runKills } from './kill.ts'

it('no message is lost, doubled, answered twice or charged twice when servers are killed', async () => {
  const server = process.env.TEST_DATABASE_URL
  const fresh = server ? await createDatabase(server) : undefined
  try {
    const { complaints, ...figures } = await runKills(12, fresh?.url)
    console.log(figures)
    expect(complaints).toEqual([])
    expect(figures.said).toBeGreaterThan(100)
  } finally {
    await fresh?.drop()
  }
}, 900_000)
