// Servers killed while answers are lost on both ways, the provider refuses connections, notifications come twice and in any order, and
// some are of unknown shape. One kill in each world, and two notifications of every unknown shape; more:
// `npm run chaos -- 20 postgres kill --faults=all`.
import { expect, it } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { runTrial, type TrialOptions } from './kill.ts'
import { FAULTS } from './messengers.ts'

/** There are fewer than thirty kinds. */
const POISONS = 60

async function play(trial: Omit<TrialOptions, 'strike' | 'databaseUrl'>) {
  const fresh = await createMigratedDatabase()
  try {
    const { complaints, ...figures } = await runTrial({
      ...{ strike: 'kill', poisons: POISONS, databaseUrl: fresh.url },
      ...trial,
    })
    console.log(figures)
    expect(complaints).toEqual([])
    return figures
  } finally {
    await fresh.drop()
  }
}

it('Telegram: no message is lost, doubled or answered twice, and no notification is refused', async () => {
  const figures = await play({ times: 1, faults: FAULTS })
  expect(figures.said).toBeGreaterThan(50)
  expect(figures.unanswered).toBeGreaterThan(0)
  expect(figures.quarantined).toBeGreaterThan(40)
}, 900_000)

it('WhatsApp: the same over GREEN-API, which waits with everything after a notification that was not taken', async () => {
  const figures = await play({ times: 1, faults: FAULTS, channel: 'whatsapp' })
  expect(figures.said).toBeGreaterThan(50)
  expect(figures.unanswered).toBeGreaterThan(0)
  expect(figures.quarantined).toBeGreaterThan(40)
}, 900_000)
