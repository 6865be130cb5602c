// How long the stages of a search take.
import type { StageTiming, TimedStage } from '#shared/knowledge/knowledge.ts'

export interface Stopwatch {
  /** Adds to the time of a stage. What it throws is thrown on. */
  time<Result>(stage: TimedStage, run: () => Promise<Result> | Result): Promise<Result>
  /** In the order in which the stages began. */
  timings(): StageTiming[]
  /** Since it was started, milliseconds. */
  elapsedMs(): number
}

/** Starts a stopwatch. */
export function startStopwatch(): Stopwatch {
  const startedAt = performance.now()
  const stages = new Map<TimedStage, { elapsedMs: number; hasFailed: boolean }>()
  return {
    async time(stage, run) {
      const timed = stages.get(stage) ?? { elapsedMs: 0, hasFailed: false }
      stages.set(stage, timed)
      const beganAt = performance.now()
      try {
        return await run()
      } catch (error) {
        timed.hasFailed = true
        throw error
      } finally {
        timed.elapsedMs += performance.now() - beganAt
      }
    },
    timings: () => Array.from(stages, ([stage, timed]) => ({ stage, ...timed, elapsedMs: rounded(timed.elapsedMs) })),
    elapsedMs: () => rounded(performance.now() - startedAt),
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
