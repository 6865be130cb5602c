// Child processes of the benchmark: started, waited for, measured through /proc (Linux) and stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/** Ticks of /proc/<pid>/stat are hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** Running child processes: none may outlive the run, however it ends. */
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export type Child = { process: ChildProcess; pid: number; stop(): Promise<void> }

/** Starts `node <args>` with the given environment on top of a bare one. Its errors go to our standard error. */
export function start(args: string[], env: Record<string, string> = {}, output: 'ignore' | 'pipe' = 'ignore'): Child {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', output, 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const pid = child.pid
  if (pid === undefined) throw new Error(`Could not start ${args[0]}`)
  return {
    process: child,
    pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await Promise.race([ended, wait(15_000)])
      child.kill('SIGKILL')
    },
  }
}

/** Starts a helper that prints `{"url": …}` as its first line. */
export async function startHelper(args: string[], env?: Record<string, string>): Promise<Child & { url: string }> {
  const child = start(args, env, 'pipe')
  const lines = createInterface({ input: child.process.stdout ?? process.stdin })
  for await (const line of lines) return { ...child, url: (JSON.parse(line) as { url: string }).url }
  throw new Error(`${args[0]} ended before it was ready`)
}

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Resolves when `url` answers 200. @throws when the process ends first or a minute has passed */
export async function untilReady(child: Child, url: string): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (Date.now() < giveUpAt) {
    if (child.process.exitCode !== null) throw new Error(`The server ended with ${child.process.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return
    await wait(25)
  }
  throw new Error(`${url} did not become ready in a minute`)
}

/** Processor time so far of a process, milliseconds; `withChildren` adds living children and those that have ended. */
export function cpuMs(pid: number, withChildren = false): number {
  const own = statOf(pid)
  if (!own) return 0
  if (!withChildren) return own.self * MS_PER_TICK
  const children = childrenOf(pid).reduce((sum, child) => sum + (statOf(child)?.self ?? 0), 0)
  return (own.self + own.ended + children) * MS_PER_TICK
}

/** Resident memory now and at its highest, megabytes. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
  return { now: Math.round(read('VmRSS')), peak: Math.round(read('VmHWM')) }
}

function statOf(pid: number): { self: number; ended: number; parent: number } | undefined {
  try {
    // The name in brackets may hold spaces: fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { self: user + system, ended: endedUser + endedSystem, parent }
  } catch {
    return undefined
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent)
}
