// Decides which SQL texts are prepared on the server: those that are repeated, up to a limit for each connection.

/** A text is prepared from this use on: one-off texts (long IN lists, bulk inserts) never are. */
const PREPARE_AFTER = 3
const MAX_PREPARED = 400
/** How many texts are counted; beyond that the counts are reset. */
const MAX_COUNTED = 5000

/** @returns a function from SQL text to the name of its prepared statement, undefined when it is not to be prepared */
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
