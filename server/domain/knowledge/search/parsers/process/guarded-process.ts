// A separate process for one file, killed when it takes too long, too much memory, or is no longer wanted.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ParseLimits } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import type { ChildMessage } from './guarded-child.ts'

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))
/** Files of the program. Uploads, keys, settings and the history of the code may be next to them. */
const PROGRAM = [
  `${ROOT}package.json`,
  `${ROOT}server/*`,
  `${ROOT}shared/*`,
  `${ROOT}node_modules/*`,
  `${realpathSync(`${ROOT}node_modules`)}/*`, // it may be a link
]
/** How often the child's resource usage is checked, milliseconds. */
const WATCH_EVERY_MS = 200
/** Exit codes and signals with which Node and Linux end a process that is out of memory. */
const OUT_OF_MEMORY = new Set<number | string | null>([134, 'SIGABRT', 'SIGKILL'])

/** The work of a child. */
export type GuardedWork<Order> = {
  /** The program of the child, which answers by guarded-child.ts. */
  entry: string
  /** The only file, besides the program, that the child may read. */
  path: string
  order: Order
  signal: AbortSignal
  limits: ParseLimits
  /** 0 to 1, not more often than a few times a second. */
  onProgress?: ((share: number) => void) | undefined
}

/**
 * The result of the child.
 *
 * @param start begins a process of its own
 * @throws ParseFailure with the reason; the signal's reason when aborted: the process is dead then
 */
export async function runGuarded<Order extends object, Result>(
  work: GuardedWork<Order>,
  start = startProcess,
): Promise<Result> {
  const { signal, limits } = work
  signal.throwIfAborted()
  const child = start(work.entry, work.path, limits)
  const stops: (() => void)[] = []
  try {
    return await new Promise<Result>((resolve, reject) => {
      stops.push(stopAfter(limits.wallMs, () => reject(new ParseFailure('timeout'))))
      stops.push(watchUse(child, limits, (reason) => reject(new ParseFailure(reason))))
      const onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      stops.push(() => signal.removeEventListener('abort', onAbort))
      child.on('message', (message: ChildMessage<Result>) => settle(message, work.onProgress, resolve, reject))
      child.on('error', reject)
      // Not when it has exited: on a busy machine, what it has sent may be read after that.
      child.on('close', (code, killedBy) => reject(exitFailure(code, killedBy)))
      child.send(work.order)
    })
  } finally {
    for (const stop of stops) stop()
    child.kill('SIGKILL')
  }
}

/** Arguments of Node that let the child read the file and the program, nothing else, write nothing and start nothing. */
export function confinement(path: string, limits: ParseLimits): string[] {
  return [
    `--max-old-space-size=${Math.floor((limits.memoryBytes / 1024 / 1024) * 0.8)}`,
    '--permission',
    `--allow-fs-read=${path}`,
    ...PROGRAM.map((part) => `--allow-fs-read=${part}`),
    '--no-warnings',
  ]
}

function startProcess(entry: string, path: string, limits: ParseLimits): ChildProcess {
  return fork(entry, {
    execArgv: confinement(path, limits),
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

function settle<Result>(
  message: ChildMessage<Result>,
  onProgress: ((share: number) => void) | undefined,
  resolve: (result: Result) => void,
  reject: (error: Error) => void,
): void {
  switch (message.kind) {
    case 'progress':
      onProgress?.(message.share)
      break
    case 'done':
      resolve(message.result)
      break
    case 'refused':
      reject(new ParseFailure(message.reason, { at: message.at, choices: message.choices }))
      break
    case 'crashed':
      reject(new Error(`The parser failed: ${message.message}`))
      break
    default:
      message satisfies never
  }
}

function exitFailure(code: number | null, killedBy: NodeJS.Signals | null): Error {
  if (OUT_OF_MEMORY.has(code) || OUT_OF_MEMORY.has(killedBy)) return new ParseFailure('too_large')
  return new Error(`The parser ended with code ${code}, signal ${killedBy}.`)
}

function stopAfter(timeMs: number, onTimeout: () => void): () => void {
  const timer = setTimeout(onTimeout, timeMs)
  return () => clearTimeout(timer)
}

/** Looks from outside: a child that is busy parsing could not report. */
function watchUse(child: ChildProcess, limits: ParseLimits, onBreach: (reason: 'too_large' | 'timeout') => void) {
  const timer = setInterval(async () => {
    const used = child.pid === undefined ? null : await readUse(child.pid)
    if (!used) return
    if (used.bytes > limits.memoryBytes) onBreach('too_large')
    else if (used.cpuMs > limits.cpuMs) onBreach('timeout')
  }, WATCH_EVERY_MS)
  return () => clearInterval(timer)
}

type ProcessUse = { bytes: number; cpuMs: number }

/** Resident memory and processor time of a process; null when it has ended. */
async function readUse(pid: number): Promise<ProcessUse | null> {
  try {
    return await (process.platform === 'linux' ? readProc(pid) : readPs(pid))
  } catch {
    return null
  }
}

/** @source man 5 proc: `stat` counts processor time in ticks of a hundredth of a second, fields counted from behind the name. */
async function readProc(pid: number): Promise<ProcessUse> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
  const bytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  return { bytes, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 }
}

/** `ps` tells time as `[[dd-]hh:]mm:ss[.cc]`. */
async function readPs(pid: number): Promise<ProcessUse> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)])
  const [kilobytes = '0', time = '0'] = stdout.trim().split(/\s+/)
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = time.split(/[-:]/).reverse().map(Number)
  return { bytes: Number(kilobytes) * 1024, cpuMs: (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 }
}
