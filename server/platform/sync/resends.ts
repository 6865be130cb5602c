// Of a client that comes back: whether it may be sending again what it had sent before on another socket, and for how long results wait for
// the answers to that; see commits.ts for why they do.
import { RESEND_QUIET_MS } from './limits.ts'

export class Resends {
  readonly #onSettled: () => void
  #timer: NodeJS.Timeout | null = null
  #isReturning = false
  #holds = 0

  /** @param onSettled called when results wait for nothing more */
  constructor(onSettled: () => void) {
    this.#onSettled = onSettled
  }

  /** What the client sends may be a repetition. */
  get isReturning(): boolean {
    return this.#isReturning
  }

  /** Results wait. */
  get isPending(): boolean {
    return this.#holds > 0
  }

  /** The client has had another socket before. */
  begin(): void {
    this.#isReturning = true
  }

  /** The client has named its queries; what it sends again follows at once, if anything. */
  awaitQuiet(): void {
    this.#holds++
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#isReturning = false
      this.#release()
    }, RESEND_QUIET_MS)
  }

  /** Has results wait until a mutation's stored outcome has been looked up, and longer where more is sent again. */
  async during(lookUp: (mayBeRepeated: boolean) => Promise<void>): Promise<void> {
    const mayBeRepeated = this.#isReturning
    if (mayBeRepeated) this.#holds++
    this.#timer?.refresh()
    await lookUp(mayBeRepeated)
    if (mayBeRepeated) this.#release()
  }

  /** The connection has ended. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #release(): void {
    this.#holds--
    if (this.#holds === 0) this.#onSettled()
  }
}
