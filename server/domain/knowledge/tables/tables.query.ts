// What may be asked of a table: filters, groups, sums. A question names columns by number and operators from lists; it becomes a plan
// only when each of them fits the table's stored types.
import { foldText, readDate, readNumber } from '#server/domain/knowledge/search/parsers/tables/cell-values.ts'
import type { TypedValue } from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import {
  type DIRECTIONS,
  isComputable,
  OPERATORS_OF,
  type Operator,
  type TableQuestion,
  takesValue,
} from '#shared/knowledge/table-questions.ts'
import { type AggregateFunction, type ColumnType, type DataTable, isTableDoubt } from '#shared/knowledge/tables.ts'

/** A column of a plan, numbered from 0, with its type. */
export type PlannedColumn = { index: number; type: ColumnType }
type Direction = (typeof DIRECTIONS)[number]
export type PlannedFilter = { column: PlannedColumn; operator: Operator; value: TypedValue }
export type PlannedAggregate = { function: AggregateFunction; column: PlannedColumn | null }
export type TablePlan = {
  tableId: DataTable['_id']
  filters: PlannedFilter[]
  /** Null: in the order of the file. */
  sort: { column: PlannedColumn; direction: Direction } | null
  groupBy: PlannedColumn | null
  /** The aggregates of each group, or of all rows: the number of rows where only a group is requested. */
  aggregates: PlannedAggregate[]
  /** Groups by one of the aggregates, counted from 0, or by their key. Null: the largest first. */
  groupSort: { aggregate: number | null; direction: Direction } | null
  limit: number
}

/** The error in a question, worded so that a model can correct itself. Contains nothing that others have written. */
export class BadQuestion extends Error {}

/** What a plan is made for. */
export type AskedTable = Pick<DataTable, '_id' | 'columns' | 'warnings'>

/** @throws BadQuestion, also for what cannot be computed without a wrong number: texts have no order, and two currencies no sum */
export function planQuestion(table: AskedTable, question: TableQuestion): TablePlan {
  const plan = planColumns(table, question)
  refuseDoubtful(table, plan)
  return plan
}

function planColumns(table: AskedTable, question: TableQuestion): TablePlan {
  const columnAt = (number: number): PlannedColumn => {
    const found = table.columns[number - 1]
    if (!found) throw new BadQuestion(`There is no column ${number}; the table has ${table.columns.length}.`)
    return { index: number - 1, type: found.type }
  }
  const groupBy = question.groupBy === undefined ? null : columnAt(question.groupBy)
  const asked = question.aggregates.map((aggregate) => planAggregate(aggregate, columnAt))
  const aggregates = groupBy && asked.length === 0 ? [ROW_COUNT] : asked
  return {
    tableId: table._id,
    filters: question.filters.map((filter) => planFilter(columnAt(filter.column), filter)),
    groupBy,
    aggregates,
    ...planSort(question.sort, columnAt, groupBy, aggregates.length),
    limit: question.limit,
  }
}

/** Operators by which numbers and days are compared. */
const COMPARING: ReadonlySet<Operator> = new Set(['eq', 'ne', 'lt', 'lte', 'gt', 'gte'])
/** Cells of a text column that look like numbers, from which it has no order. */
const NUMBERS_MIN = 2

/** What would give a number that looks right and may be wrong. */
function refuseDoubtful({ columns, warnings }: AskedTable, plan: TablePlan): void {
  const ordered = [plan.sort?.column, plan.groupSort?.aggregate === null ? plan.groupBy : null].flatMap(
    (each) => each ?? [],
  )
  const computed = plan.aggregates.flatMap(({ function: name, column }) => (name !== 'count' && column ? [column] : []))
  const compared = plan.filters.flatMap(({ column, operator }) => (COMPARING.has(operator) ? [column] : []))
  if (warnings.some(isTableDoubt) && plan.aggregates.length + ordered.length + compared.length > 0) {
    throw new BadQuestion(
      'How this table is to be read is not settled: its owner has been asked. Its rows can be listed, but nothing can be computed, counted or sorted. Say so, and name no such number.',
    )
  }
  for (const { index, type } of ordered) {
    if (type === 'text' && (columns[index]?.numbers ?? 0) >= NUMBERS_MIN) {
      throw new BadQuestion(
        `Column ${index + 1} is text that holds numbers, which have no order: do not say which is the largest or smallest.`,
      )
    }
  }
  for (const { index, type } of [...ordered, ...computed, ...compared]) {
    const column = columns[index]
    if (column?.doubt && type !== 'text') {
      throw new BadQuestion(
        `What the ${type}s of column ${index + 1} mean is not settled: the owner of the table has been asked. Cells can be quoted as they stand, nothing can be computed or compared.`,
      )
    }
    const unit = column?.units?.column
    if (
      unit !== undefined &&
      !isOfOneUnit(
        plan,
        unit - 1,
        computed.some((each) => each.index === index),
      )
    ) {
      throw new BadQuestion(
        `The numbers of column ${index + 1} are of different units, which stand in column ${unit}: filter column ${unit} by one of them${computed.length > 0 ? ', or group by it' : ''}.`,
      )
    }
  }
}

/** Whether all numbers that are put together are of the same unit. */
function isOfOneUnit({ filters, groupBy, sort, groupSort }: TablePlan, unit: number, isComputed: boolean): boolean {
  const isFiltered = filters.some(
    ({ column, operator }) => column.index === unit && (operator === 'eq' || operator === 'is_empty'),
  )
  const isByAggregate = groupSort !== null && groupSort.aggregate !== null
  return isFiltered || (isComputed && groupBy?.index === unit && sort === null && !isByAggregate)
}

const ROW_COUNT: PlannedAggregate = { function: 'count', column: null }

/** Where there are groups, they are what is sorted: what cannot be meant so is refused, so that no order is taken for another. */
function planSort(
  sort: TableQuestion['sort'],
  columnAt: (number: number) => PlannedColumn,
  groupBy: PlannedColumn | null,
  aggregates: number,
): Pick<TablePlan, 'sort' | 'groupSort'> {
  if (!sort) return { sort: null, groupSort: null }
  const { column: number, aggregate, direction } = sort
  if ((number === undefined) === (aggregate === undefined)) {
    throw new BadQuestion('A sort names either a column or an aggregate.')
  }
  const column = number === undefined ? null : columnAt(number)
  if (!groupBy) {
    if (!column) throw new BadQuestion('Only groups can be sorted by an aggregate.')
    return { sort: { column, direction }, groupSort: null }
  }
  if (column && column.index !== groupBy.index) {
    throw new BadQuestion('Groups are sorted by the column they are grouped by, or by the number of an aggregate.')
  }
  if (aggregate !== undefined && aggregate > aggregates) {
    throw new BadQuestion(`There is no aggregate ${aggregate}; the question has ${aggregates}.`)
  }
  const groupSort = { aggregate: aggregate === undefined ? null : aggregate - 1, direction }
  return { sort: column && { column, direction }, groupSort }
}

function planFilter(column: PlannedColumn, filter: TableQuestion['filters'][number]): PlannedFilter {
  const { operator } = filter
  if (!OPERATORS_OF[column.type].includes(operator)) {
    throw new BadQuestion(`Column ${column.index + 1} is a ${column.type}: ${operator} does not apply.`)
  }
  if (!takesValue(operator)) return { column, operator, value: null }
  const value = filter.value === undefined ? undefined : typedValue(filter.value, column.type)
  if (value === undefined) throw new BadQuestion(`Column ${column.index + 1} is a ${column.type}: the value is none.`)
  return { column, operator, value }
}

function typedValue(value: string | number | boolean, type: ColumnType): TypedValue | undefined {
  switch (type) {
    case 'number':
      if (typeof value === 'string') return givenNumber(value)
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'date':
      return typeof value === 'string' ? readDate(value, 'iso') : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'text':
      return foldText(String(value).replaceAll('\0', '').toWellFormed())
    default:
      return type satisfies never
  }
}

/** In either spelling; `1,234` is refused, since it means one number in Russian and another in English. `0,125` means but one. */
function givenNumber(text: string): number | undefined {
  if (/^\D*0,/.test(text)) return readNumber(text, 'comma')
  const [point, comma] = [readNumber(text, 'point'), readNumber(text, 'comma')]
  return point === undefined || comma === undefined || point === comma ? (point ?? comma) : undefined
}

function planAggregate(
  { function: name, column: number }: TableQuestion['aggregates'][number],
  columnAt: (number: number) => PlannedColumn,
): PlannedAggregate {
  if (number === undefined) {
    if (name !== 'count') throw new BadQuestion(`${name} needs a column.`)
    return { function: name, column: null }
  }
  const column = columnAt(number)
  if (!isComputable(name, column.type)) {
    throw new BadQuestion(`Column ${number} is a ${column.type}: ${name} does not apply.`)
  }
  return { function: name, column }
}
