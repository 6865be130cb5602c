// The one way in which a parser says why a file cannot be used.
import type { DocumentErrorReason, EncodingChoice, TextPosition } from '#shared/knowledge/knowledge.ts'

/** An expected failure with a reason that is shown to people. */
export class ParseFailure extends Error {
  readonly reason: DocumentErrorReason
  /** Where in the file, for reasons that have a place. */
  readonly at: TextPosition | null
  /** Of encoding_unsure: between what a person may choose. */
  readonly choices: EncodingChoice[] | null
  constructor(
    reason: DocumentErrorReason,
    { at = null, choices = null, ...options }: ErrorOptions & Partial<Pick<ParseFailure, 'at' | 'choices'>> = {},
  ) {
    super(`The file cannot be read: ${reason}`, options)
    this.name = 'ParseFailure'
    this.reason = reason
    this.at = at
    this.choices = choices
  }
}
