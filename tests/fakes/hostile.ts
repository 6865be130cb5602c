// A hostile file as a test case: its name, its content, and the expected outcome.

export type Route = 'documents' | 'tables'

export type Hostile = {
  name: string
  content(): Uint8Array
  /** The reason for its refusal, or `ready`. */
  ends: Partial<Record<Route, string>>
  /** The warning shown for a file that can be used in part. */
  warns?: string[]
}

/** The text of readable files. */
export const READABLE = 'The courier comes on the day after the order.'

/** A file of this machine (this one) that no upload may expose, and words that stand in it. */
export const SECRET_FILE = import.meta.filename
export const SECRET = 'kept-from-everybody'
