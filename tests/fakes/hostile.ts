// What a hostile file is to a test: how it is called, what it holds, and in which word it is to end.

export type Route = 'documents' | 'tables'

export type Hostile = {
  name: string
  content(): Uint8Array
  /** The reason for which it is refused, or `ready`, where it is sent as such. */
  ends: Partial<Record<Route, string>>
  /** The warning shown for a file that can be used in part. */
  warns?: string[]
}

/** What stands in files that can be read. */
export const READABLE = 'The courier comes on the day after the order.'

/** A file of this machine (this one) that no upload may expose, and words that stand in it. */
export const SECRET_FILE = import.meta.filename
export const SECRET = 'kept-from-everybody'
