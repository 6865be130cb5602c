// The cost of a run: processor seconds of each stage next to its budget, and the slowest files, which order the next run.
import fs from 'node:fs'
import path from 'node:path'
import type { FileReport } from './run-reporter.ts'

/** `cpuSeconds`: null where the system does not report it. */
export type StageCost = { name: string; seconds: number; cpuSeconds: number | null }

const BUDGET = path.resolve(import.meta.dirname, '../budget.json')
const DURATIONS = path.resolve(import.meta.dirname, '../durations.json')
const SLOWEST = 30

/** Prints the summary. @returns a line for each stage that has passed its budget */
export function printLedger(stages: StageCost[]): string[] {
  const budget = JSON.parse(fs.readFileSync(BUDGET, 'utf8')) as Record<string, number>
  console.log('\nstage         seconds  processor  budget')
  for (const { name, seconds, cpuSeconds } of stages) {
    const columns = [seconds, cpuSeconds === null ? '–' : Math.round(cpuSeconds), budget[name] ?? '–']
    console.log(name.padEnd(12) + columns.map((value) => String(value).padStart(9)).join(''))
  }
  return overBudget(stages, budget)
}

/** One line for each stage whose processor seconds exceed the budget. */
export function overBudget(stages: StageCost[], budget: Record<string, number>): string[] {
  return stages.flatMap(({ name, cpuSeconds }) => {
    const most = budget[name]
    if (most === undefined || cpuSeconds === null || cpuSeconds <= most) return []
    return [
      `stage ${name} took ${Math.round(cpuSeconds)} processor seconds, its budget is ${most}: make room or raise it`,
    ]
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
