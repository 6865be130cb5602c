// Servers killed while answers are lost in both directions, the provider refuses connections, notifications arrive twice and out of order, and
// some are of unknown shape. One kill, over another channel every day, and two notifications of every unknown shape; more:
// `npm run chaos -- 20 postgres kill --faults=all`.
import { expect, it } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { runTrial, type TrialOptions } from './kill.ts'
import { FAULTS } from './messengers.ts'
import { turnOfDay } from './turn-of-day.ts'

/** More than the number of kinds. */
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

const CHANNELS: { channel: string; options: Partial<TrialOptions> }[] = [
  { channel: 'Telegram', options: {} },
  {
    channel: 'GREEN-API, which holds everything back behind an unacknowledged notification',
    options: { channel: 'whatsapp' },
  },
]

it.each(turnOfDay(CHANNELS, CHANNELS.length))(
  'no message is lost, duplicated or answered twice, and no notification is refused: $channel',
  async ({ options }) => {
    const figures = await play({ times: 1, faults: FAULTS, ...options })
    expect(figures.messages).toBeGreaterThan(50)
    expect(figures.unanswered).toBeGreaterThan(0)
    expect(figures.quarantined).toBeGreaterThan(40)
  },
  900_000,
)
