// The log of the embedded PostgreSQL: PostgreSQL writes the file, this keeps it small.
import fs from 'node:fs'

/** Bytes after which the log becomes the former one, of which there is one. */
const MAX_BYTES = 5e6
/** Bytes of its end that are read to explain a failed start. */
const READ_BYTES = 20_000

/** Appended to by PostgreSQL through `fd`. */
export class LogFile {
  readonly fd: number
  readonly #file: string
  #mark = 0

  constructor(file: string) {
    this.#file = file
    this.fd = fs.openSync(file, 'a', 0o600)
    this.rotate()
  }

  /** The former log is what it held; what is written meanwhile may be lost. Safe to repeat. */
  rotate(): void {
    if (fs.fstatSync(this.fd).size <= MAX_BYTES) return
    fs.copyFileSync(this.#file, `${this.#file}.1`)
    fs.ftruncateSync(this.fd)
    this.#mark = 0
  }

  /** `tail` returns what is written from here on. */
  mark(): void {
    this.#mark = fs.fstatSync(this.fd).size
  }

  tail(): string {
    const { size } = fs.fstatSync(this.fd)
    const start = Math.max(this.#mark, size - READ_BYTES)
    const bytes = Buffer.alloc(Math.max(0, size - start))
    const reading = fs.openSync(this.#file, 'r')
    try {
      fs.readSync(reading, bytes, 0, bytes.length, start)
    } finally {
      fs.closeSync(reading)
    }
    return bytes.toString('utf8')
  }

  close(): void {
    fs.closeSync(this.fd)
  }
}
