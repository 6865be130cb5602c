// Bounded concurrency by key: work of one key waits for other work of the same key, and never for that of another.

export interface KeyedGate {
  /** Runs the work as soon as fewer than the limit of its key are under way, in the order of the calls. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

type Queue = { running: number; waiting: (() => void)[] }

/** @param most of one key that may be under way at once */
export function createKeyedGate(most: number): KeyedGate {
  const queues = new Map<string, Queue>()
  const leave = (key: string, queue: Queue) => {
    const next = queue.waiting.shift()
    if (next) return next() // the place passes on
    queue.running -= 1
    if (queue.running === 0) queues.delete(key)
  }
  return {
    async run(key, work) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.running >= most) await new Promise<void>((resolve) => queue.waiting.push(resolve))
      else queue.running += 1
      try {
        return await work()
      } finally {
        leave(key, queue)
      }
    },
  }
}
