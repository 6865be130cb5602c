// The demo as `npm run demo` starts it, in a process and a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** First of the nine consecutive ports of the demo. */
const PORT = 20_000 + (process.pid % 200) * 50

const FOLDER = path.join(ROOT, `data/demo-${PORT}`)
const LIMIT_MS = 150_000
/** Timeout of the hook that starts it. */
export const DEMO_START_LIMIT_MS = LIMIT_MS + 30_000

export type Demo = { url: string; stop(): Promise<void> }

/** Resolves when it reports that it is ready. @throws when it exits before, or is not ready in time; then nothing of it is left */
export async function startDemo(...args: string[]): Promise<Demo> {
  fs.rmSync(FOLDER, { recursive: true, force: true }) // left by a run that was killed
  const env = { ...process.env, PORT: String(PORT) }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const demo = spawn(process.execPath, ['scripts/demo.ts', ...args], { cwd: ROOT, env, stdio: [...stdio] })
  try {
    await untilUsable(demo)
  } catch (error) {
    await end(demo)
    throw error
  }
  return { url: `http://localhost:${PORT}`, stop: () => end(demo) }
}

function untilUsable(demo: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The demonstration does not start')), LIMIT_MS)
    demo.stdout?.on('data', (chunk) => {
      if (!String(chunk).includes('Ctrl+C')) return
      clearTimeout(late)
      resolve()
    })
    demo.once('exit', (code) => reject(new Error(`The demonstration ended with code ${code}`)))
  })
}

async function end(demo: ChildProcess): Promise<void> {
  demo.removeAllListeners('exit')
  const ended = new Promise((resolve) => demo.once('exit', resolve))
  if (demo.exitCode === null && demo.kill('SIGTERM')) await ended
  fs.rmSync(FOLDER, { recursive: true, force: true })
}
