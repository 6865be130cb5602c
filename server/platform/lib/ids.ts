// Makes ids: 32 characters of 0-9 and a-v, the first ten of them the time, so that new rows sit together in an index.
import { randomBytes } from 'node:crypto'
import type { Id, IdTable } from '#shared/ids.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuv'
const RANDOM_CHARACTERS = 22
/** Filled for many ids in one call: each call has a high fixed cost. */
let random = Buffer.alloc(0)
let used = 0

/** A new id. 110 random bits; ids made later sort later, to the millisecond. */
export function newId<Table extends IdTable>(_table?: Table): Id<Table> {
  const time = Date.now().toString(32).padStart(10, '0')
  if (used === random.length) {
    random = randomBytes(RANDOM_CHARACTERS * 64)
    used = 0
  }
  let id = time
  for (const end = used + RANDOM_CHARACTERS; used < end; used++) id += ALPHABET[(random[used] ?? 0) & 31]
  return id as Id<Table>
}
