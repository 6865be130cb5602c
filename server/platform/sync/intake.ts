// How much of what one client has sent is still waiting or running. Over the limit, nothing more is read from its socket.
import type { WebSocket } from 'ws'
import { weightOf } from './budget.ts'
import { INTAKE_BYTES_MAX, INTAKE_MAX } from './limits.ts'
import type { ClientMessage } from './protocol.ts'
import type { Tab } from './tab.ts'

/**
 * Charges a message to its sender, and counts it, until the result is called.
 * @throws AppError when there is no room for it
 */
export function chargeMessage(
  message: ClientMessage,
  bytes: number,
  { tab, intake }: { tab: Tab; intake: Intake },
): () => void {
  const isRequest = message.type === 'Mutation' || message.type === 'Action'
  const held = tab.charge('pending', bytes + (isRequest ? weightOf(message.args) : 0))
  const counted = intake.admit(bytes)
  return () => {
    counted()
    held.release()
  }
}

export class Intake {
  readonly #socket: Pick<WebSocket, 'pause' | 'resume'>
  #messages = 0
  #bytes = 0
  #isPaused = false
  #isHeld = false

  constructor(socket: Pick<WebSocket, 'pause' | 'resume'>) {
    this.#socket = socket
  }

  /** Counts a message until the result is called; calling it again does nothing. */
  admit(bytes: number): () => void {
    this.#count(1, bytes)
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      this.#count(-1, -bytes)
    }
  }

  /** Nothing more is read until the result is called. What has been read already, at most what the network hands over at once, still comes. */
  hold(): () => void {
    this.#isHeld = true
    this.#socket.pause()
    return () => {
      this.#isHeld = false
      if (!this.#isPaused) this.#socket.resume()
    }
  }

  /** Pauses reading at the limit and resumes at half of it, so that it does not toggle with every message. */
  #count(messages: number, bytes: number): void {
    this.#messages += messages
    this.#bytes += bytes
    const share = Math.max(this.#messages / INTAKE_MAX, this.#bytes / INTAKE_BYTES_MAX)
    if (!this.#isPaused && share > 1) {
      this.#isPaused = true
      this.#socket.pause()
    } else if (this.#isPaused && share < 0.5) {
      this.#isPaused = false
      if (!this.#isHeld) this.#socket.resume()
    }
  }
}
