// How values of the database become JavaScript values.

/** Text → value by type oid. Types not listed are read as `pg` does. */
const parsers: Record<number, (text: string) => unknown> = {
  20: safeInteger, // int8, and with it count(*)
  1016: int8Array,
  1082: (text) => text, // date: 'YYYY-MM-DD', never shifted by a time zone
  1114: (text) => text, // timestamp without time zone
  1186: (text) => text, // interval
}

/** Makes the `pg` driver read values as described here. Must run before any other user of `pg` connects. */
export function installParsers(types: { setTypeParser(oid: number, parse: (text: string) => unknown): void }): void {
  for (const [oid, parse] of Object.entries(parsers)) types.setTypeParser(Number(oid), parse)
}

function int8Array(text: string): (number | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : safeInteger(item)))
}

/** @throws Error beyond 2^53: a silently rounded number is worse */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`The integer ${text} is beyond 2^53.`)
  return value
}
