// How much of request bodies may be on its way from one address at the same time: whoever sends slowly has it kept meanwhile.

export class BodyRoom {
  readonly #byAddress = new Map<string, number>()
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Call the result when the request was answered. Null: there is no room for a body of so many bytes. */
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
