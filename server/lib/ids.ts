// Makes ids: 32 characters of 0-9 and a-v, the first ten of them the time, so that new rows sit together in an index.
import { randomBytes } from 'node:crypto'
import type { Id, IdTable } from '#shared/ids.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** A new id. 110 random bits; ids made later sort later, to the millisecond. */
export function newId<Table extends IdTable>(_table?: Table): Id<Table> {
  const time = Date.now().toString(32).padStart(10, '0')
  let random = ''
  for (const byte of randomBytes(22)) random += ALPHABET[byte & 31]
  return (time + random) as Id<Table>
}
