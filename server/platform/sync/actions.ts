// Actions of one socket: all run at once, and are broken off when their client leaves.
import type { Outcome } from './host.ts'

export class Actions {
  readonly #running = new Set<AbortController>()

  /** Runs an action and returns its outcome. Never throws if `call` does not. */
  async run(call: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
    const controller = new AbortController()
    this.#running.add(controller)
    try {
      return await call(controller.signal)
    } finally {
      this.#running.delete(controller)
    }
  }

  /** The client has left: no answer is waited for. */
  abort(): void {
    for (const action of this.#running) action.abort(new Error('The connection was closed'))
  }
}
