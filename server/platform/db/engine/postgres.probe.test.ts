// The probe over a long life: what it leaves behind.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { PostgresProbe } from './postgres.probe.ts'

let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ url, drop } = await createMigratedDatabase())
})
afterAll(() => drop())

test('many probes on one connection leave no listener behind', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const probe = new PostgresProbe(url)
  for (let time = 0; time < 20; time++) await probe.run(60_000)
  await probe.close()
  await new Promise((resolve) => setImmediate(resolve)) // a warning is emitted behind what causes it
  process.off('warning', note)
  expect(warnings).toEqual([])
})
