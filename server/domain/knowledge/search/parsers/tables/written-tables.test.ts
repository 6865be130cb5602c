// Made-up tables in every manner of writing, read back: a number that is read is the one that was meant, or a person is asked, or the
// cell is reported as left out. `TABLES` says how many; the first seed moves with the date.
import { expect, it } from 'vitest'
import { judge } from '#tests/judged-tables.ts'
import { seededRandom } from '#tests/random.ts'
import { writeFile } from '#tests/written-tables.ts'

const TABLES = Number(process.env.TABLES ?? 400)
const FIRST_SEED = process.env.SEED ? Number(process.env.SEED) : Math.floor(Date.now() / 86_400_000) * 100_000
const LONGEST_MS = 1_800_000

it(`no number of ${TABLES} tables is read as another one than was meant`, { timeout: LONGEST_MS }, async () => {
  const guilty: unknown[] = []
  const counts = { exact: 0, asked: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + TABLES; seed++) {
    const file = writeFile(seededRandom(seed))
    const { wrong, isAsked, isExact } = await judge(file)
    if (wrong.length > 0)
      guilty.push({ seed, wrong: wrong.slice(0, 3), manner: file.manner, text: file.text.slice(0, 1500) })
    if (isAsked) counts.asked += 1
    if (isExact) counts.exact += 1
  }
  console.log(
    `${TABLES} tables from seed ${FIRST_SEED}: ${guilty.length} wrong, ${counts.exact} exact, ${counts.asked} asked`,
  )
  expect(guilty.slice(0, 3)).toEqual([])
  expect(counts.exact / TABLES).toBeGreaterThan(0.7) // a reader that asks about everything is of no use
})
