// Tests that may need a second try, each until a day by which its reason is to be found.
import fs from 'node:fs'
import path from 'node:path'

/** `test`: how its line begins, as it is printed: `tests/x.test.ts › name`. `until`: the last day, as YYYY-MM-DD. */
type SecondTry = { test: string; until: string; why: string }

const LIST = path.resolve(import.meta.dirname, '../second-tries.json')

/** Beginnings of the lines of those tests that may need one on this day. */
export function toleratedSecondTries(today: Date): string[] {
  const day = today.toISOString().slice(0, 10)
  const all = JSON.parse(fs.readFileSync(LIST, 'utf8')) as SecondTry[]
  return all.filter(({ until }) => day <= until).map(({ test }) => test)
}
