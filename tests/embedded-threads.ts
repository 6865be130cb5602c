// Keeps the threads of embedded databases from one test file to the next: each is at its beginning again (embedded-thread.ts).
import { Worker } from 'node:worker_threads'
import type { Threads } from '#server/db/embedded.ts'

/** More databases than this are seldom open at once, and each takes 300 MB. */
const KEPT = 2

const idle: Worker[] = []

/** Threads of databases that all begin with the same dump. */
export const rewoundThreads: Threads = {
  start(workerData) {
    const kept = idle.pop()
    if (!kept) return new Worker(new URL('./embedded-thread.ts', import.meta.url), { workerData, execArgv: [] })
    kept.ref()
    kept.postMessage({ id: 0, op: 'ping' }) // whoever takes it waits for a sign of life
    return kept
  },
  async end(thread, isClosed) {
    for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event) // without a name, the thread's own too
    if (!isClosed || idle.length === KEPT) return thread.terminate()
    thread.unref()
    idle.push(thread)
  },
}
