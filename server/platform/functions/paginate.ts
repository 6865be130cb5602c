// Pages of a list that stays live: keyset cursors, and page ends that stay where they were when the page was first loaded.
// A store adds a page to any query in three lines:
//
//   const query = ctx.db.selectFrom('conversations').selectAll().where('status', '=', 'active')
//   const order = { by: [['last_message_at', 'instant'], ['id', 'text']], direction: 'desc' } as const
//   return paginate(ctx, query, paginationOpts, order, toConversation)
import { ConvexError } from 'convex/values'
import type {
  Expression,
  ExpressionBuilder,
  ExpressionWrapper,
  SelectQueryBuilder,
  SqlBool,
  StringReference,
} from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { PaginationOpts } from '#shared/schema.ts'

/** How a live query passes a decision of its first run to later runs; the client keeps it over a reconnect. */
export interface Journal {
  /** What an earlier run wrote; null in the first. */
  readonly previous: string | null
  write(text: string): void
}

/** How the values of an order column are written in a cursor. `instant`: timestamptz, kept to the microsecond. */
export type CursorType = 'instant' | 'integer' | 'text'

/** Columns that order the rows and together identify one; none may be null. The query itself must have no order and no limit. */
export type PageOrder<Column extends string> = {
  by: readonly (readonly [Column, CursorType])[]
  direction: 'asc' | 'desc'
}

/** One page, as the paginated hooks of the realtime client read it. */
export type Page<Item> = {
  page: Item[]
  isDone: boolean
  continueCursor: string
  /** Where the client may split a page that has grown. */
  splitCursor: string | null
  /** `SplitRequired`: the page holds more rows than are sent at once, so the client must split it. */
  pageStatus: 'SplitRequired' | null
}

/** The cursor does not belong to this list: the paginated hooks of the client start again from the top. */
class InvalidCursor extends ConvexError<{ isConvexSystemError: true; paginationError: 'InvalidCursor' }> {
  constructor() {
    super({ isConvexSystemError: true, paginationError: 'InvalidCursor' })
    this.name = 'InvalidCursor'
  }
}

/** The cursor behind the last row of a list. */
const END = 'end'
/** Rows of one page after it has grown. */
const MAX_ROWS = 2000

/**
 * Reads one page.
 *
 * The first run takes `numItems` rows and writes the page's end into the journal; later runs read everything between the cursor and that
 * end, however much it has become. So neighbouring pages never overlap and never leave a gap.
 *
 * @throws InvalidCursor when a cursor was made for another order or is malformed
 */
export async function paginate<DB, TB extends keyof DB, Row extends object, Item>(
  ctx: StoreContext & { journal?: Journal },
  query: SelectQueryBuilder<DB, TB, Row>,
  opts: PaginationOpts,
  order: PageOrder<StringReference<DB, TB> & string>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const end = opts.endCursor ?? ctx.journal?.previous ?? null
  const limit = end === null ? opts.numItems : MAX_ROWS
  if (opts.cursor === END) return emptyPage(ctx.journal)

  let rows = query
  if (opts.cursor !== null) rows = rows.where(beyond(order, decode(order, opts.cursor), 'after'))
  if (end !== null && end !== END) rows = rows.where(beyond(order, decode(order, end), 'upTo'))
  for (const [column] of order.by) rows = rows.orderBy(column, order.direction)
  const found = await withCursors(rows, order)
    .limit(limit + 1)
    .execute()

  const isCut = found.length > limit
  const read = (isCut ? found.slice(0, limit) : found).map((row) => splitRow<Row>(row, order))
  const last = read.at(-1)
  const continueCursor = end ?? (isCut && last ? last.cursor : END)
  ctx.journal?.write(continueCursor)
  const mustSplit = isCut && end !== null
  const middle = mustSplit ? last : read[Math.floor((read.length - 1) / 2)]
  return {
    page: read.map(({ row }) => toItem(row)),
    isDone: continueCursor === END,
    continueCursor,
    splitCursor: read.length > 1 && middle ? middle.cursor : null,
    pageStatus: mustSplit ? 'SplitRequired' : null,
  }
}

/** The cursor behind a row: the text that the database makes of its order columns. */
export function cursorAt(order: PageOrder<string>, values: string[]): string {
  return JSON.stringify([signature(order), ...values])
}

/** The rows behind a cursor, for a query that orders and limits them itself. @throws InvalidCursor */
export function behind<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: PageOrder<StringReference<DB, TB> & string>,
  cursor: string,
): SelectQueryBuilder<DB, TB, Row> {
  return query.where(beyond(order, decode(order, cursor), 'after'))
}

function emptyPage(journal: Journal | undefined): Page<never> {
  journal?.write(END)
  return { page: [], isDone: true, continueCursor: END, splitCursor: null, pageStatus: null }
}

/** Rows that come after a position (exclusive) or up to it (inclusive), in the order of the list. */
function beyond<DB, TB extends keyof DB>(
  order: PageOrder<StringReference<DB, TB> & string>,
  values: string[],
  side: 'after' | 'upTo',
) {
  return (eb: ExpressionBuilder<DB, TB>): ExpressionWrapper<DB, TB, SqlBool> => {
    const operator = (order.direction === 'asc') === (side === 'after') ? '>' : '<'
    const compare = (index: number, by: '=' | '<' | '>' | '<=' | '>=') =>
      eb(eb.ref(columnAt(order, index)) as Expression<string>, by, eb.val(values[index] ?? ''))
    const equalUpTo = (index: number) => order.by.slice(0, index).map((_, i) => compare(i, '='))
    const alternatives = order.by.map((_, index) => eb.and([...equalUpTo(index), compare(index, operator)]))
    if (side === 'upTo') alternatives.push(eb.and(equalUpTo(order.by.length)))
    // The first comparison is redundant; it lets the database use an index on the first column.
    return eb.and([compare(0, `${operator}=`), eb.or(alternatives)])
  }
}

function columnAt<Column extends string>(order: PageOrder<Column>, index: number): Column {
  const entry = order.by[index]
  if (!entry) throw new Error('A page needs at least one order column')
  return entry[0]
}

/** Adds the text of each order column to the row: a JavaScript Date would lose the microseconds. */
function withCursors<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: PageOrder<StringReference<DB, TB> & string>,
) {
  return query.select((eb) =>
    order.by.map(([column], index) => eb.cast<string>(eb.ref(column), 'text').as(alias(index))),
  )
}

function splitRow<Row extends object>(found: object, order: PageOrder<string>): { row: Row; cursor: string } {
  const row: Record<string, unknown> = { ...found }
  const values = order.by.map((_, index) => {
    const value = row[alias(index)]
    delete row[alias(index)]
    if (typeof value !== 'string') throw new Error(`Order column ${columnAt(order, index)} of a page is null`)
    return value
  })
  return { row: row as Row, cursor: cursorAt(order, values) }
}

function alias(index: number): string {
  return `page_cursor_${index}`
}

/** A cursor made for one order is rejected by another. */
function signature(order: PageOrder<string>): string {
  return `${order.direction}:${order.by.map(([column]) => column).join(',')}`
}

function decode(order: PageOrder<string>, cursor: string): string[] {
  const [made, ...values] = parse(cursor)
  if (made !== signature(order) || values.length !== order.by.length) throw new InvalidCursor()
  return values.map((value, index) => {
    const type = order.by[index]?.[1]
    if (typeof value !== 'string' || !type || !IS_TYPE[type](value)) throw new InvalidCursor()
    return value
  })
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(cursor)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** Cursors come back from the client, so values that would cause a database error are rejected here. */
const IS_TYPE: Record<CursorType, (value: string) => boolean> = {
  text: (value) => value.length <= 1024 && value.isWellFormed() && !value.includes('\0'),
  integer: (value) => /^-?\d{1,15}$/.test(value),
  instant: (value) => {
    const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-]\d\d(:\d\d)?$/.exec(value)
    if (!parts) return false
    const time = Date.parse(`${parts[1]}T${parts[2]}Z`)
    return Number.isFinite(time) && new Date(time).toISOString().startsWith(`${parts[1]}T${parts[2]}`)
  },
}
