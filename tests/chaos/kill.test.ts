// A few hard kills under load. The full fifty on either database, and stops and freezes: `npm run chaos`.
import { expect, it } from 'vitest'
import { createDatabase, testServer } from '#tests/database.ts'
import { runTrial, type TrialOptions } from './kill.ts'

async function play(trial: TrialOptions) {
  const { complaints, ...figures } = await runTrial(trial)
  console.log(figures)
  expect(complaints.join('\n')).toBe('')
  return figures
}

it('no message is lost, duplicated, answered twice or charged twice when two servers on one PostgreSQL are killed', async () => {
  const fresh = await createDatabase(testServer())
  try {
    expect((await play({ strike: 'kill', times: 2, databaseUrl: fresh.url })).messages).toBeGreaterThan(50)
  } finally {
    await fresh.drop()
  }
}, 900_000)

it('nor when a server with its embedded database is killed, which leaves no process running', async () => {
  expect((await play({ strike: 'kill', times: 1 })).messages).toBeGreaterThan(10)
}, 900_000)

it('nor when the PostgreSQL of a server is killed: its postmaster, and one of its connections', async () => {
  expect((await play({ strike: 'kill-postgres', times: 2 })).messages).toBeGreaterThan(10)
}, 900_000)
