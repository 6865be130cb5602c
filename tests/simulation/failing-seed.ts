// A guilty seed as it is told: what is wrong, and the order of events in which it can be played again.
import fs from 'node:fs'
import path from 'node:path'
import type { FailingSeed } from './judge.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../.cache/simulation')
const BETWEEN = ' · '

/** Three lines for people; the last of them is what a replay goes by. */
export function tell({ seed, complaints, steps, order }: FailingSeed): string {
  return `seed ${seed}: ${complaints.join('; ')}\nsteps: ${steps.join(' → ')}\norder: ${order.join(BETWEEN)}`
}

/** Where a guilty seed is kept. The lines of another machine's log can be put there by hand. */
export function fileOf(seed: number): string {
  return path.join(FOLDER, `seed-${seed}.txt`)
}

export function keep(guilty: FailingSeed): void {
  fs.mkdirSync(FOLDER, { recursive: true })
  fs.writeFileSync(fileOf(guilty.seed), `${tell(guilty)}\n`)
}

/** The kept order of a seed; null: none is kept. */
export function readOrder(seed: number): string[] | null {
  if (!fs.existsSync(fileOf(seed))) return null
  return orderIn(fs.readFileSync(fileOf(seed), 'utf8'))
}

/** The order that a told seed holds. */
export function orderIn(told: string): string[] | null {
  return told.match(/^\s*order: (.*)$/m)?.[1]?.split(BETWEEN) ?? null
}
