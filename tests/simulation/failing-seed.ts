// Text format of a failing seed: its complaints, and the order of events in which it can be replayed.
import fs from 'node:fs'
import path from 'node:path'
import type { FailingSeed } from './judge.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../.cache/simulation')
const BETWEEN = ' · '

/** Three lines for people; a replay reads the last one. */
export function tell({ seed, complaints, steps, order }: FailingSeed): string {
  return `seed ${seed}: ${complaints.join('; ')}\nsteps: ${steps.join(' → ')}\norder: ${order.join(BETWEEN)}`
}

/** File of a failing seed. The lines of another machine's log can be put there by hand. */
export function fileOf(seed: number): string {
  return path.join(FOLDER, `seed-${seed}.txt`)
}

export function keep(failing: FailingSeed): void {
  fs.mkdirSync(FOLDER, { recursive: true })
  fs.writeFileSync(fileOf(failing.seed), `${tell(failing)}\n`)
}

/** The recorded order of a seed; null if none is recorded. */
export function readOrder(seed: number): string[] | null {
  if (!fs.existsSync(fileOf(seed))) return null
  return orderIn(fs.readFileSync(fileOf(seed), 'utf8'))
}

/** The order in the text of a failing seed. */
export function orderIn(text: string): string[] | null {
  return text.match(/^\s*order: (.*)$/m)?.[1]?.split(BETWEEN) ?? null
}
