// Decides which SQL texts are worth preparing on the server: those that come again, and not more than a connection should hold.

/** A text is prepared from this use on: one-off texts (long IN lists, bulk inserts) never are. */
const PREPARE_AFTER = 3
const MAX_PREPARED = 400
/** Texts whose uses are counted; beyond it the counting starts anew. */
const MAX_COUNTED = 5000

/** @returns a function from SQL text to the name of its prepared statement, undefined while it is not worth one */
export function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  let uses = new Map<string, number>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= MAX_PREPARED) return known
    const count = (uses.get(sql) ?? 0) + 1
    if (count < PREPARE_AFTER) {
      if (uses.size >= MAX_COUNTED) uses = new Map()
      uses.set(sql, count)
      return undefined
    }
    uses.delete(sql)
    const name = `parley_${names.size}`
    names.set(sql, name)
    return name
  }
}
