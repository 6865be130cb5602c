// Building blocks of argument schemas that more than one noun uses.
import * as z from 'zod/mini'
import type { Id, IdTable } from './ids.ts'

/** An id argument. A malformed id passes here and is refused as `not_found`, the same answer as for a missing row. */
export function id<Table extends IdTable>(_table: Table) {
  return z.custom<Id<Table>>((value) => typeof value === 'string' && value.length > 0 && value.length <= 64)
}

/** Options of a paginated query, as the realtime client sends and types them. Cursors are opaque. */
export const paginationOpts = z.strictObject({
  numItems: z.number().check(z.int(), z.minimum(1), z.maximum(500)),
  cursor: z.nullable(z.string()),
  endCursor: z.exactOptional(z.nullable(z.string())),
  id: z.exactOptional(z.number()),
  maximumRowsRead: z.exactOptional(z.number()),
  maximumBytesRead: z.exactOptional(z.number()),
})
export type PaginationOpts = z.infer<typeof paginationOpts>

/** No arguments. */
export const noArgs = z.strictObject({})

/** Start and end in milliseconds since the epoch, end not included. */
export const timeRange = z.strictObject({ start: z.number(), end: z.number() })
export type TimeRange = z.infer<typeof timeRange>
