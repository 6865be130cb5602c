// The one way in which a parser says why a file cannot be used.
import type { DocumentErrorReason, TextPosition } from '#shared/knowledge.ts'

/** An expected failure with a reason that is shown to people. */
export class ParseFailure extends Error {
  readonly reason: DocumentErrorReason
  /** Where in the file, for reasons that have a place. */
  readonly at: TextPosition | null
  constructor(
    reason: DocumentErrorReason,
    { at = null, ...options }: ErrorOptions & { at?: TextPosition | null } = {},
  ) {
    super(`The file cannot be read: ${reason}`, options)
    this.name = 'ParseFailure'
    this.reason = reason
    this.at = at
  }
}
