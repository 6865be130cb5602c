// Builds and merges segments off the main thread. The worker starts with the first order and does not keep the process alive.
import { Worker } from 'node:worker_threads'
import type { IndexedChunk, StoredSegment } from '../retrieval.ts'
import type { SegmentAnswer, SegmentOrder } from './segment-worker.ts'

type Waiting = { resolve: (blob: Uint8Array) => void; reject: (error: Error) => void }
type NewOrder = { kind: 'build'; chunks: IndexedChunk[] } | { kind: 'merge'; segments: StoredSegment[] }

export class SegmentBuilder {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0

  build(chunks: IndexedChunk[]): Promise<Uint8Array> {
    return this.#order({ kind: 'build', chunks })
  }

  merge(segments: StoredSegment[]): Promise<Uint8Array> {
    return this.#order({ kind: 'merge', segments })
  }

  /** Unfinished orders fail. A later order starts a new worker. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#end(new Error('The index builder was closed.'))
    await worker?.terminate()
  }

  #order(order: NewOrder): Promise<Uint8Array> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const worker = this.#start()
      worker.ref()
      worker.postMessage({ ...order, id } satisfies SegmentOrder)
    })
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./segment-worker.ts', import.meta.url), { execArgv: ['--no-warnings'] })
    worker.on('message', (answer: SegmentAnswer) => this.#settle(answer))
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#end(new Error(`The index builder ended with code ${code}.`))
    })
    this.#worker = worker
    return worker
  }

  #settle(answer: SegmentAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ('blob' in answer) waiting?.resolve(answer.blob)
    else waiting?.reject(new Error(answer.error))
  }

  #end(error: Error): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
