// SQL for questions to a table. Text of the question reaches the database as parameters only; columns are numbers, everything else
// comes from lists in this file.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { gramsOf } from '#server/domain/knowledge/search/analysis/grams.ts'
import { foldText } from '#server/domain/knowledge/search/parsers/tables/cell-values.ts'
import type { TypedValue } from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import {
  EVENING,
  evenText,
  joinWords,
  LOOKALIKES,
  longNumberIn,
  nearValues,
  WORD_GAP,
} from '#server/domain/knowledge/search/parsers/tables/even-text.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Operator } from '#shared/knowledge/table-questions.ts'
import type { TableRow } from '#shared/knowledge/tables.ts'
import type { PlannedAggregate, PlannedColumn, PlannedFilter, TablePlan } from './tables.query.ts'

/** The first rows and groups, as many as the question allows, and how many there are. */
export type TableAnswer = {
  matched: number
  rows: TableRow[]
  /** One for each value of the grouped column, or a single one without a key; empty when nothing was to be computed. */
  groups: { key: TypedValue; values: TypedValue[] }[]
  groupCount: number
  /** Where no row has a requested text: the most similarly spelled values of its column, as written in the file. */
  near?: { column: number; values: string[] }[]
}

/** Different values among which near ones are looked for, those first that share most pieces with the text. */
const NEAR_VALUES = 5000
const PIECES_MAX = 8
const NEAR_OPERATORS: ReadonlySet<Operator> = new Set(['eq', 'contains', 'starts_with'])
/** Digits of a number that is a whole telephone number. */
const WHOLE_NUMBER = 9
/** Characters of a group's name. */
const GROUP_NAME_MAX = 200
const DIRECTIONS = { asc: 'asc nulls last', desc: 'desc nulls last' } as const
const COMPARISONS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** Computes an answer; rows are those that the filters let through. */
export async function askTable(ctx: OrgStoreContext, plan: TablePlan): Promise<TableAnswer> {
  const counted = await matching(ctx, plan)
    .select((eb) => eb.fn.countAll<string>().as('matched'))
    .executeTakeFirstOrThrow()
  const matched = Number(counted.matched)
  const near = matched === 0 ? await readNear(ctx, plan) : []
  return { matched, rows: await readRows(ctx, plan), ...(await readGroups(ctx, plan)), near }
}

/** How many of some words, folded and without their endings, the rows of each table hold; tables with none are left out. */
export async function countWordsHeld(
  ctx: OrgStoreContext,
  tableIds: string[],
  words: string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await ctx.db
    .selectFrom('table_rows')
    .innerJoin(sql<{ word: string }>`unnest(${words}::text[])`.as<'asked'>(sql`asked(word)`), (join) => join.onTrue())
    .select(['table_id', sql<number>`count(distinct word)::int`.as('held')])
    .where('organization_id', '=', ctx.organizationId)
    .where(sql<SqlBool>`table_id = any(${tableIds}::text[])`)
    .where(sql<SqlBool>`strpos(typed::text, word) > 0`)
    .groupBy('table_id')
    .execute()
  return new Map(found.map(({ table_id, held }) => [table_id, held]))
}

/** Similar values for filters on text columns that matched nothing. */
async function readNear(ctx: OrgStoreContext, plan: TablePlan): Promise<TableAnswer['near'] & object> {
  const near: TableAnswer['near'] & object = []
  for (const { column, operator, value } of plan.filters) {
    if (column.type !== 'text' || typeof value !== 'string' || !NEAR_OPERATORS.has(operator)) continue
    const rows = await matching(ctx, { ...plan, filters: [] })
      .select(sql<string>`cells ->> ${sql.lit(Math.trunc(column.index))}`.as('cell'))
      .where(sql<SqlBool>`(${cellOf(column)} is not null)`)
      .groupBy('cell')
      .orderBy(sharedPieces(column, value), 'desc')
      .orderBy('cell')
      .limit(NEAR_VALUES)
      .execute()
    const values = nearValues(
      value,
      rows.map(({ cell }) => cell),
    )
    if (values.length > 0) near.push({ column: column.index, values })
  }
  return near
}

/** How many pieces of a text a value has. Of values in one spelling the highest. */
function sharedPieces(column: PlannedColumn, value: string): RawBuilder<number> {
  const cell = cellOf(column)
  const pieces = [...new Set(foldText(value).split(' ').flatMap(gramsOf))].map((piece) => piece.replaceAll('_', ''))
  const found = pieces.slice(0, PIECES_MAX).map((piece) => sql`(strpos(${cell}, cast(${piece} as text)) > 0)::int`)
  return sql<number>`max(${sql.join(found, sql` + `)})`
}

async function readRows(ctx: OrgStoreContext, plan: TablePlan): Promise<TableRow[]> {
  const { sort, limit } = plan
  return matching(ctx, plan)
    .select(['number', 'cells'])
    .$if(sort !== null, (query) =>
      query.orderBy(sort ? cellOf(sort.column) : sql`number`, (by) =>
        (sort?.direction === 'desc' ? by.desc() : by.asc()).nullsLast(),
      ),
    )
    .orderBy('number')
    .limit(limit)
    .execute()
}

async function readGroups(ctx: OrgStoreContext, plan: TablePlan): Promise<Pick<TableAnswer, 'groups' | 'groupCount'>> {
  const { groupBy, aggregates, limit } = plan
  if (aggregates.length === 0) return { groups: [], groupCount: 0 }
  const cell = groupBy ? cellOf(groupBy) : sql<null>`null`
  const key = groupBy?.type === 'text' ? evened(cell) : cell
  // Texts are grouped in normalized form, and labelled as written in the file.
  const named = groupBy?.type === 'text' ? nameOf(groupBy) : cell
  const ordered = groupBy?.type === 'text' ? sql`min(${cell})` : cell
  const values = aggregates.map(aggregate)
  const rows = await matching(ctx, plan)
    .select([
      named.as('key'),
      sql<TypedValue[]>`jsonb_build_array(${sql.join(values)})`.as('results'),
      sql<string>`count(*) over ()`.as('of'), // of the groups: the limit comes after it
    ])
    .$if(groupBy !== null, (query) =>
      query
        .groupBy(key)
        .orderBy(groupOrder(plan, ordered, values))
        .orderBy(ordered),
    )
    .limit(limit)
    .execute()
  const isNumber = groupBy?.type === 'number'
  const groups = rows.map((row) => ({
    key: isNumber && row.key !== null ? Number(row.key) : row.key,
    values: row.results,
  }))
  return { groups, groupCount: Number(rows[0]?.of ?? 0) }
}

/** What comes first among groups; of equals, the one whose key is less. */
function groupOrder({ groupSort }: TablePlan, key: RawBuilder<unknown>, values: RawBuilder<unknown>[]) {
  if (!groupSort) return sql`count(*) desc`
  const by = groupSort.aggregate === null ? key : values[groupSort.aggregate]
  return sql`${by} ${sql.raw(DIRECTIONS[groupSort.direction])}`
}

/** One of the spellings of a group's text; null for empty cells. */
function nameOf({ index }: PlannedColumn): RawBuilder<TypedValue> {
  return sql`left(min(nullif(cells ->> ${sql.lit(Math.trunc(index))}, '') collate "C"), ${sql.lit(GROUP_NAME_MAX)})`
}

function aggregate({ function: name, column }: PlannedAggregate): RawBuilder<unknown> {
  if (!column) return sql`count(*)`
  const value = cellOf(column)
  switch (name) {
    case 'count':
      return sql`count(${value})`
    case 'sum':
      return sql`sum(${value})`
    case 'avg':
      return sql`avg(${value})`
    case 'min':
      return sql`min(${value})`
    case 'max':
      return sql`max(${value})`
    default:
      return name satisfies never
  }
}

function matching(ctx: OrgStoreContext, plan: TablePlan) {
  let query = ctx.db
    .selectFrom('table_rows')
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', plan.tableId)
  for (const filter of plan.filters) query = query.where(condition(filter))
  return query
}

/** Empty cells, and cells that are not of their column's type, fulfil no comparison, `ne` included. */
function condition({ column, operator, value }: PlannedFilter): RawBuilder<SqlBool> {
  const cell = cellOf(column)
  if (column.type === 'text' && typeof value === 'string' && evenText(value) !== '') {
    const even = textCondition(evened(cell), operator, evenText(value))
    if (even) return even
  }
  switch (operator) {
    case 'is_empty':
      return sql<SqlBool>`(${cell} is null)`
    case 'is_filled':
      return sql<SqlBool>`(${cell} is not null)`
    case 'contains':
      return sql<SqlBool>`(strpos(${cell}, cast(${value} as text)) > 0)`
    case 'starts_with':
      return sql<SqlBool>`(starts_with(${cell}, cast(${value} as text)))`
    default:
      return sql<SqlBool>`(${comparable(column, cell, value)} ${sql.raw(COMPARISONS[operator])} ${bound(column, value)})`
  }
}

/** Texts are compared in normalized form. Undefined for an operator without a comparison. */
function textCondition(cell: RawBuilder<unknown>, operator: Operator, value: string): RawBuilder<SqlBool> | undefined {
  switch (operator) {
    case 'contains':
      return containing(cell, value)
    case 'starts_with':
      return sql<SqlBool>`(starts_with(${cell}, cast(${value} as text)))`
    case 'eq':
      return sql<SqlBool>`(${equalling(cell, value)})`
    case 'ne':
      return sql<SqlBool>`(not (${equalling(cell, value)}))`
    default:
      return undefined
  }
}

/** Whole telephone numbers are the same with the code of their country and without it. */
function equalling(cell: RawBuilder<unknown>, value: string): RawBuilder<SqlBool> {
  const asIs = sql<SqlBool>`${cell} = cast(${value} as text)`
  const digits = longNumberIn(value)
  if (digits === null || digits.length < WHOLE_NUMBER) return asIs
  const last = sql`right(regexp_replace(${cell}, '[^0-9]', '', 'g'), ${sql.lit(digits.length)})`
  return sql<SqlBool>`${asIs} or (${cell} !~ '[^-+() .0-9]' and ${last} = cast(${digits} as text))`
}

/** Words are found in one piece or in several, numbers by their last digits. Both sides are evened out. */
function containing(cell: RawBuilder<unknown>, value: string): RawBuilder<SqlBool> {
  const asIs = sql<SqlBool>`strpos(${cell}, cast(${value} as text)) > 0`
  const digits = longNumberIn(value)
  if (digits !== null) {
    return sql<SqlBool>`(${asIs} or strpos(regexp_replace(${cell}, '[^0-9]', '', 'g'), cast(${digits} as text)) > 0)`
  }
  const joined = joinWords(value)
  if (joined === null) return sql<SqlBool>`(${asIs})`
  const joinedCell = sql`regexp_replace(${cell}, ${sql.lit(WORD_GAP)}, '', 'g')`
  return sql<SqlBool>`(${asIs} or strpos(${joinedCell}, cast(${joined} as text)) > 0)`
}

/** A text, folded already, by the same rules as `evenText`. */
function evened(cell: RawBuilder<unknown>): RawBuilder<string> {
  const letters = sql`translate(${cell}, ${sql.lit(LOOKALIKES.from)}, ${sql.lit(LOOKALIKES.to)})`
  const text = EVENING.reduce(
    (before, [pattern, by]) => sql`regexp_replace(${before}, ${sql.lit(pattern)}, ${sql.lit(by)}, 'g')`,
    letters,
  )
  return sql<string>`btrim(${text})`
}

/** A date without a time is compared with the days of cells that have one. */
function comparable(column: PlannedColumn, cell: RawBuilder<TypedValue>, value: TypedValue): RawBuilder<unknown> {
  if (column.type !== 'date' || typeof value !== 'string') return cell
  return sql`left(${cell}, ${sql.lit(value.length)})`
}

function bound({ type }: PlannedColumn, value: TypedValue): RawBuilder<unknown> {
  if (type === 'number') return sql`cast(${String(value)} as numeric)`
  if (type === 'boolean') return sql`cast(${String(value)} as boolean)`
  return sql`cast(${value} as text)`
}

const JSON_TYPES = { number: 'number', boolean: 'boolean', text: 'string', date: 'string' } as const
const SQL_TYPES = { number: sql`numeric`, boolean: sql`boolean`, text: sql`text`, date: sql`text` } as const

/**
 * A cell as its type. Null for a cell of another type: the planner may look at rows of other tables before the condition that leaves
 * them out. Texts are compared by code points, the same on every machine.
 */
function cellOf({ index, type }: PlannedColumn): RawBuilder<TypedValue> {
  const path = sql.lit(`$[${Math.trunc(index)}] ? (@.type() == "${JSON_TYPES[type]}")`)
  const text = sql`jsonb_path_query_first(typed, ${path}) #>> '{}'`
  const isText = SQL_TYPES[type] === SQL_TYPES.text || type === 'date'
  return isText ? sql`((${text}) collate "C")` : sql`cast(${text} as ${SQL_TYPES[type]})`
}
