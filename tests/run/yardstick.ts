// How fast the processor is while a stage runs: the same piece of work, timed now and then. On a shared machine whatever runs takes twice the
// processor time when neighbours are busy, and so does the piece.
import { createHash } from 'node:crypto'

const EVERY_MS = 10_000
/** Until the piece runs as compiled code. */
const WARM_UP = 5

/** Measures until it is stopped. @returns what stops it, and gives the median milliseconds of processor time that the piece took */
export function startYardstick(): () => number {
  for (let time = 0; time < WARM_UP; time++) work()
  const taken = [measure()]
  const timer = setInterval(() => taken.push(measure()), EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return median([...taken, measure()])
  }
}

/** Processor seconds as the machine of the budget would have needed them: those of a slower machine count less, by how much its pieces took. */
export function evenedOut(cpuSeconds: number, pieceMs: number, usualPieceMs: number): number {
  return cpuSeconds * Math.min(1, usualPieceMs / pieceMs)
}

function measure(): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Objects, text, sorting and hashing, as the tests do: a few dozen milliseconds. */
function work(): void {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ key: (at * 2_654_435_761) % 1_000_003, text: `row ${at}` }))
  const parsed = JSON.parse(JSON.stringify(rows)) as typeof rows
  parsed.sort((a, b) => a.key - b.key)
  createHash('sha256').update(JSON.stringify(parsed)).digest()
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
