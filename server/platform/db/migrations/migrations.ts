// All migrations in order. A name, once released, never changes, and neither does what it makes: changes come as the next migration.
import type { Migration } from 'kysely/migration'
import * as initial from './001-initial.ts'
import * as names from './002-names.ts'
import * as conversationParts from './003-conversation-parts.ts'

export const migrations: Record<string, Migration> = {
  '001-initial': initial,
  '002-names': names,
  '003-conversation-parts': conversationParts,
}
