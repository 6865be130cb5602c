// A few hard kills under load, of other processes every day. The full fifty on either database, and stops and freezes: `npm run chaos`.
import { expect, it } from 'vitest'
import { createDatabase, testServer } from '#tests/database.ts'
import { runTrial, type TrialOptions } from './kill.ts'
import { turnOfDay } from './turn-of-day.ts'

const KILLS: { of: string; trial: TrialOptions; isShared?: boolean; atLeast: number }[] = [
  { of: 'two servers on one PostgreSQL', trial: { strike: 'kill', times: 2 }, isShared: true, atLeast: 50 },
  { of: 'a server with its embedded database', trial: { strike: 'kill', times: 1 }, atLeast: 10 },
  { of: 'the PostgreSQL of a server, and a connection', trial: { strike: 'kill-postgres', times: 2 }, atLeast: 10 },
]

it.each(turnOfDay(KILLS, KILLS.length))(
  'no message is lost, duplicated, answered twice or charged twice, and no process is left: kills of $of',
  async ({ trial, isShared, atLeast }) => {
    const fresh = isShared ? await createDatabase(testServer()) : null
    try {
      const { complaints, ...figures } = await runTrial({ ...trial, ...(fresh && { databaseUrl: fresh.url }) })
      console.log(figures)
      expect(complaints.join('\n')).toBe('')
      expect(figures.messages).toBeGreaterThan(atLeast)
    } finally {
      await fresh?.drop()
    }
  },
  900_000,
)
