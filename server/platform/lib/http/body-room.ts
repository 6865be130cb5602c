// Limits the bytes of request bodies being received from one address; a slow sender holds its share meanwhile.

export class BodyRoom {
  readonly #byAddress = new Map<string, number>()
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Call the result when the request was answered. Null: no room for a body of this size. */
  enter(address: string, bytes: number): (() => void) | null {
    const taken = this.#byAddress.get(address) ?? 0
    if (taken + bytes > this.#maxBytes) return null
    this.#byAddress.set(address, taken + bytes)
    return () => this.#leave(address, bytes)
  }

  #leave(address: string, bytes: number): void {
    const left = (this.#byAddress.get(address) ?? 0) - bytes
    if (left > 0) this.#byAddress.set(address, left)
    else this.#byAddress.delete(address)
  }
}
