// The demonstration as `npm run demo` starts it, in a process and a folder of its own.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The demonstration takes seven ports from here on. */
const PORT = 20_000 + (process.pid % 200) * 50

export const DEMO_START_LIMIT_MS = 120_000

export type Demo = { url: string; stop(): Promise<void> }

/** Resolves when it says that it can be used. @throws when it ends before */
export async function startDemo(...args: string[]): Promise<Demo> {
  const demo = spawn(process.execPath, ['scripts/demo.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(PORT) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    demo.stdout.on('data', (said) => String(said).includes('Ctrl+C') && resolve())
    demo.once('exit', (code) => reject(new Error(`The demonstration ended with code ${code}`)))
  })
  return {
    url: `http://localhost:${PORT}`,
    async stop() {
      demo.removeAllListeners('exit')
      const ended = new Promise((resolve) => demo.once('exit', resolve))
      if (demo.exitCode === null && demo.kill('SIGTERM')) await ended
      fs.rmSync(path.join(ROOT, `data/demo-${PORT}`), { recursive: true, force: true })
    },
  }
}
