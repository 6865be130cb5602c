// The type of a column, corrected by a person: the choice is stored with the column, and its values are recomputed from the cells in the
// background. Until that is done agents query the column with its old type, so that no sum ever covers half the rows.

import {
  type ColumnFacts,
  noFacts,
  noteCell,
  type ReadCell,
  type Reader,
  readerOf,
} from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ColumnType, DateOrder, SignMeaning, TableColumn } from '#shared/knowledge/tables.ts'
import type { JobContext } from '../spaces/writes.ts'
import { lockTable } from './tables.rows.store.ts'
import { getVisibleTable } from './tables.rows.ts'
import * as store from './tables.types.store.ts'

type TypeServices = Pick<Services, 'database'>
type TypeData = { organizationId: Id<'organizations'>; tableId: Id<'tables'> }

const CELLS_PER_READ = 5000

export const retypeColumnsJob = defineJob<TypeData, TypeServices>({
  name: 'knowledge.retype-columns',
  limitSeconds: 120,
  concurrency: 1,
  run: (services, data, signal) => retypeColumns(services, data, signal),
})

/**
 * Keeps the type that a person has chosen for a column, counted from 1, and queues what follows from it.
 *
 * @throws AppError not_found, table_not_analyzed, table_busy while it is analyzed again, invalid_arguments for a column that it has not
 */
export async function chooseType(
  ctx: JobContext,
  tableId: Id<'tables'>,
  number: number,
  type: ColumnType,
): Promise<void> {
  await changeColumn(ctx, tableId, number, (column) => ({ ...column, wanted: type }))
}

/**
 * Resolves the ambiguity of a column, and queues the consequences.
 *
 * @throws AppError as `chooseType`; invalid_arguments also for a column without an ambiguity, and for a meaning of another kind
 */
export async function settleColumn(
  ctx: JobContext,
  tableId: Id<'tables'>,
  number: number,
  means: SignMeaning | DateOrder,
): Promise<void> {
  await changeColumn(ctx, tableId, number, (column) => {
    const { doubt } = column
    if (doubt?.kind === 'sign' && (means === 'thousands' || means === 'decimal')) {
      return { ...column, wanted: column.type, signs: { ...column.signs, [doubt.sign]: means } }
    }
    if (doubt?.kind === 'date_order' && (means === 'day-first' || means === 'month-first')) {
      return { ...column, wanted: column.type, dates: means }
    }
    throw new AppError('invalid_arguments', { path: 'means' })
  })
}

async function changeColumn(
  ctx: JobContext,
  tableId: Id<'tables'>,
  number: number,
  change: (column: TableColumn) => TableColumn,
): Promise<void> {
  await lockTable(ctx, tableId)
  const { isAnalyzed, status, columns } = await getVisibleTable(ctx, tableId)
  if (!isAnalyzed) throw new AppError('table_not_analyzed')
  if (status === 'uploaded' || status === 'analyzing') throw new AppError('table_busy')
  if (!columns[number - 1]) throw new AppError('invalid_arguments', { path: 'column' })
  const chosen = columns.map((column, at) => (at === number - 1 ? change(column) : column))
  await store.setColumns(ctx, tableId, chosen)
  await ctx.jobs.send(ctx.db, retypeColumnsJob, { organizationId: ctx.organizationId, tableId })
}

/** Safe to repeat and to run twice at the same time: one column after another, each in a transaction of its own. */
async function retypeColumns({ database }: TypeServices, data: TypeData, signal: AbortSignal): Promise<void> {
  const { organizationId, tableId } = data
  const next = () =>
    database.organization(organizationId, (db) => retypeNext({ db, organizationId }, tableId, signal), {
      isolation: 'read committed',
    })
  while (await next()) signal.throwIfAborted()
}

/** The rows cannot change meanwhile. @returns whether there was a column to recompute */
async function retypeNext(ctx: OrgStoreContext, id: Id<'tables'>, signal: AbortSignal): Promise<boolean> {
  await lockTable(ctx, id)
  const columns = (await store.columnsOf(ctx, id)) ?? []
  const at = columns.findIndex(({ wanted }) => wanted !== undefined)
  const column = columns[at]
  if (!column?.wanted) return false
  const cells = await readColumn(ctx, id, at, signal)
  const { name, wanted, signs, dates } = column
  const choice = { name, type: wanted, ...(signs && { signs }), ...(dates && { dates }) }
  const isCyrillic = columns.some((each) => /\p{Script=Cyrillic}/u.test(each.name))
  const reader = readerOf(
    cells.map(({ cell }) => ({ text: cell })),
    { name, isCyrillic, choice },
  )
  const read = (cell: string) => readWithin(reader, column, cell)
  const values = cells.map(({ number, cell }): Parameters<typeof store.writeValues>[3][number] => [
    number,
    read(cell).value,
  ])
  if (values.length > 0) await store.writeValues(ctx, id, at, values)
  await store.setColumns(ctx, id, columns.with(at, retyped(column, reader, factsOf(read, cells))))
  return true
}

/** Numbers of another unit than most are left out where no column says of which unit each is. */
function readWithin(reader: Reader, column: TableColumn, text: string): ReadCell {
  const read = reader.read({ text })
  const isStrange = reader.units !== null && !column.units && reader.unitOf({ text }) !== reader.units[0]
  return isStrange && read.value !== null ? { value: null, fits: false } : read
}

function retyped(column: TableColumn, reader: Reader, facts: ColumnFacts): TableColumn {
  const { wanted: _, unit, units, doubt, numbers, signs, dates, ...rest } = column
  const main = reader.units && !units ? { unit: reader.units[0] ?? '' } : {}
  return {
    ...rest,
    type: reader.type,
    ...(signs && { signs }),
    ...(dates && { dates }),
    ...reader.facts,
    ...main,
    ...(units && reader.type === 'number' && { units: { ...units, values: reader.units ?? units.values } }),
    isChosen: true,
    ...facts,
  }
}

async function readColumn(
  ctx: OrgStoreContext,
  id: Id<'tables'>,
  column: number,
  signal: AbortSignal,
): Promise<store.NumberedCell[]> {
  const cells: store.NumberedCell[] = []
  for (;;) {
    signal.throwIfAborted()
    const read = await store.listCells(ctx, id, column, { after: cells.at(-1)?.number ?? 0, most: CELLS_PER_READ })
    cells.push(...read)
    if (read.length < CELLS_PER_READ) return cells
  }
}

function factsOf(read: (cell: string) => ReadCell, cells: store.NumberedCell[]): ColumnFacts {
  const facts = noFacts()
  for (const { number, cell } of cells) noteCell(facts, number, cell, read(cell))
  return facts
}
