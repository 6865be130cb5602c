// The cost of a run: processor seconds of each stage next to its budget, and the slowest files, which order the next run.
import fs from 'node:fs'
import path from 'node:path'
import type { FileReport } from './run-reporter.ts'
import { evenedOut } from './yardstick.ts'

/** `cpuSeconds`: null where the system does not report it. `pieceMs`: what the piece of the yardstick took meanwhile. */
export type StageCost = { name: string; seconds: number; cpuSeconds: number | null; pieceMs: number }
/** Processor seconds by stage, on a machine that needs `pieceMs` for the piece of the yardstick. */
type Budget = { pieceMs: number; stages: Record<string, number> }

const BUDGET = path.resolve(import.meta.dirname, '../budget.json')
const DURATIONS = path.resolve(import.meta.dirname, '../durations.json')
const SLOWEST = 30

/** Prints the summary. @returns a line for each stage that has passed its budget */
export function printLedger(stages: StageCost[]): string[] {
  const budget = JSON.parse(fs.readFileSync(BUDGET, 'utf8')) as Budget
  console.log('\nstage         seconds  processor     piece  evened out  budget')
  for (const stage of stages) {
    const { name, seconds, cpuSeconds, pieceMs } = stage
    const used = cpuSeconds === null ? ['–', `${Math.round(pieceMs)} ms`, '–'] : costs(stage, cpuSeconds, budget)
    const columns = [String(seconds), ...used, String(budget.stages[name] ?? '–')]
    console.log(name.padEnd(12) + columns.map((value, at) => value.padStart([9, 11, 10, 12, 8][at] ?? 0)).join(''))
  }
  return overBudget(stages, budget)
}

function costs({ pieceMs }: StageCost, cpuSeconds: number, budget: Budget): string[] {
  const even = evenedOut(cpuSeconds, pieceMs, budget.pieceMs)
  return [String(Math.round(cpuSeconds)), `${Math.round(pieceMs)} ms`, String(Math.round(even))]
}

/** One line for each stage whose processor seconds, evened out, exceed the budget. */
export function overBudget(stages: StageCost[], budget: Budget): string[] {
  return stages.flatMap(({ name, cpuSeconds, pieceMs }) => {
    const most = budget.stages[name]
    if (most === undefined || cpuSeconds === null) return []
    const cost = Math.round(evenedOut(cpuSeconds, pieceMs, budget.pieceMs))
    return cost <= most
      ? []
      : [`stage ${name} took ${cost} processor seconds, its budget is ${most}: make room or raise it`]
  })
}

/** Prints the slowest files. `keep`: record them as the order of later runs. */
export function recordDurations(files: FileReport[], keep: boolean): void {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  if (slowest.length === 0) return
  console.log('\nslowest files, seconds')
  for (const { path, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${path}`)
  const durations = Object.fromEntries(slowest.map(({ path, seconds }) => [path, seconds]))
  if (keep) fs.writeFileSync(DURATIONS, `${JSON.stringify(durations, null, 2)}\n`)
}

/** Seconds of the files that were slowest at the last recording, by path. */
export function readDurations(): Record<string, number> {
  return JSON.parse(fs.readFileSync(DURATIONS, 'utf8')) as Record<string, number>
}
