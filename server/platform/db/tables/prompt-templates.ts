// The template of the installation: instructions before every agent's own.
import type { Id } from '#shared/ids.ts'
import type { GivenTimestamp } from './columns.ts'

/** A version. The newest is the one in use; none is ever changed. */
export interface PromptTemplatesTable {
  number: number
  text: string
  author_id: Id<'users'> | null
  /** The version that it repeats; null: none. */
  restored_from: number | null
  created_at: GivenTimestamp
}
