// Follows the frames of the PostgreSQL protocol without parsing their contents, so that invalid bytes are detected at once: a reader that
// trusts a wrong length waits forever.
// @source postgresql.org/docs/current/protocol-message-formats.html

/** The first byte of every message of a server. */
const TYPES = new Set(Buffer.from('123ACDEGHIKNRSTVWZcdnstv'))
const HEADER_BYTES = 5
/** The length counts itself. */
const LENGTH_BYTES = 4
/** No message is longer: PostgreSQL builds each in a buffer of at most a gigabyte. */
const MAX_BYTES = 0x3fffffff + LENGTH_BYTES

/** Reads one stream of messages, in chunks of any size. */
export class FrameCheck {
  /** Of the header that has begun. */
  readonly #header = Buffer.alloc(HEADER_BYTES)
  #headerBytes = 0
  /** Bytes of the message that are still to come. */
  #missing = 0

  /** @throws Error when a message of no known type, or of an impossible length, begins in this chunk */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#missing, chunk.length - at)
      this.#missing -= skipped
      at += skipped
      if (at < chunk.length) at += this.#readHeader(chunk, at)
    }
  }

  /** @returns how many bytes of the chunk belong to the header */
  #readHeader(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#header, this.#headerBytes, at)
    this.#headerBytes += taken
    if (!TYPES.has(this.#header[0] as number)) throw new Error(`No message begins with byte ${this.#header[0]}.`)
    if (this.#headerBytes < HEADER_BYTES) return taken
    const length = this.#header.readUInt32BE(1)
    if (length < LENGTH_BYTES || length > MAX_BYTES) throw new Error(`No message has ${length} bytes.`)
    this.#headerBytes = 0
    this.#missing = length - LENGTH_BYTES
    return taken
  }
}
