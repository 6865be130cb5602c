// The server as an operator runs it: `node server/main.ts` in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const MAIN = path.resolve(import.meta.dirname, '../server/main.ts')

export interface ServerProcess {
  url: string
  child: ChildProcess
  /** Everything it has written so far. */
  output(): string
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the server and waits until it is ready. @throws with its output when it ends before */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const { child, output, exited } = launch(env)
  const ready = new Promise<string>((done) => {
    child.stdout?.on('data', () => {
      const url = /"url":"([^"]+)".*Parley is ready/.exec(output())?.[1]
      if (url) done(url)
    })
  })
  const url = await Promise.race([
    ready,
    exited.then((code) => Promise.reject(new Error(`ended with ${code}: ${output()}`))),
  ])
  return {
    url,
    child,
    output,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** Runs a server that is expected to refuse. */
export async function runRefusedServer(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { output, exited } = launch(env)
  return { code: await exited, output: output() }
}

function launch(env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (part: string) => {
      text += part
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => text, exited }
}
