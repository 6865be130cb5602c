// How many statements the changes of an organization's data take.
import type { KyselyPlugin } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** The database, with the statements noted that each transaction of a person's change has sent in its last attempt. */
export function countStatements(database: Database): { database: Database; counts: number[] } {
  const counts: number[] = []
  const transaction: Database['transaction'] = async (scope, run, options) => {
    if (options?.readOnly || scope.kind !== 'organization') return database.transaction(scope, run, options)
    let count = 0
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        count++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const counted: typeof run = (db) => {
      count = 0
      return run(db.withPlugin(counter))
    }
    const value = await database.transaction(scope, counted, options)
    counts.push(count)
    return value
  }
  return { database: { ...database, transaction }, counts }
}
