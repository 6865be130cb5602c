// The one way in which a parser says why a file cannot be used.
import type { DocumentErrorReason } from '#shared/knowledge.ts'

/** An expected failure with a reason that is shown to people. */
export class ParseFailure extends Error {
  readonly reason: DocumentErrorReason
  constructor(reason: DocumentErrorReason, options?: ErrorOptions) {
    super(`The file cannot be read: ${reason}`, options)
    this.name = 'ParseFailure'
    this.reason = reason
  }
}
