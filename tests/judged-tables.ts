// Whether what is read of a made-up table is what was meant: no wrong number, nothing missing without a warning.
import { PARSE_LIMITS } from '#server/domain/knowledge/search/parsers/limits.ts'
import { type ParsedTable, parseTable } from '#server/domain/knowledge/search/parsers/tables/parse-table.ts'
import { hasDoubt, type TableColumn } from '#shared/knowledge/tables.ts'
import type { MeantItem, MeantTable, WrittenFile } from './written-tables.ts'

/** `wrong`: what is shown as right and is not. `isAsked`: a person is asked. `isExact`: all that was meant is known. */
export type Verdict = { wrong: string[]; isAsked: boolean; isExact: boolean; why?: string }

/** Reads all tables of a file and compares them with what was meant. */
export async function judge({ text, tables }: WrittenFile): Promise<Verdict> {
  const verdict: Verdict = { wrong: [], isAsked: false, isExact: true }
  const first = await read(text, null)
  const others = await Promise.all(first.sheets.slice(1).map((sheet) => read(text, sheet)))
  const parsed = [first, ...others]
  if (parsed.some((table) => table.warnings.some(({ kind }) => /_unsure$/.test(kind)))) {
    const why = parsed.flatMap(({ warnings }) => warnings.map(({ kind }) => kind)).find((kind) => /_unsure$/.test(kind))
    return { wrong: [], isAsked: true, isExact: false, ...(why && { why }) }
  }
  if (parsed.length !== tables.length)
    return { ...verdict, isExact: false, wrong: [`${parsed.length} tables of ${tables.length}`] }
  for (const [at, meant] of tables.entries()) compare(meant, parsed[at] as ParsedTable, verdict)
  return verdict
}

function read(text: string, sheet: string | null): Promise<ParsedTable> {
  return parseTable(new TextEncoder().encode(text), 'csv', PARSE_LIMITS, { sheet })
}

function compare(whole: MeantTable, table: ParsedTable, verdict: Verdict): void {
  const names = table.columns.map(({ name }) => name)
  const meant = withoutReported(whole, table)
  if (meant !== whole) verdict.isExact = false
  if (table.rows.length !== meant.items.length) {
    verdict.wrong.push(`${table.rows.length} rows of ${meant.items.length}; ${JSON.stringify(table.warnings)}`)
    return
  }
  const nameAt = names.indexOf(meant.names.name)
  for (const [at, { name }] of meant.items.entries()) {
    if (table.rows[at]?.cells[nameAt] !== name) {
      verdict.wrong.push(`row ${at + 1} is ${table.rows[at]?.cells[nameAt]}, not ${name}; columns ${names.join('/')}`)
      return
    }
  }
  compareColumn(meant.names.price, (item) => item.price, { meant, table, verdict })
  if (meant.names.stock) compareColumn(meant.names.stock, (item) => item.stock, { meant, table, verdict })
  if (meant.names.weight) compareColumn(meant.names.weight, (item) => item.weight, { meant, table, verdict })
  compareUnits(meant, table, verdict)
  if (meant.hasGroups) compareGroups(meant, table, verdict)
  if (hasDoubt(table)) Object.assign(verdict, { isAsked: true, isExact: false, why: 'doubt' })
}

/** Without items that have nothing but a name and that the owner is shown as left out. */
function withoutReported(meant: MeantTable, { warnings }: ParsedTable): MeantTable {
  const reported = warnings.flatMap((warning) => (warning.kind === 'notes_left_out' ? warning.texts : []))
  const items = meant.items.filter(({ name, price, stock }) => {
    const isBare = price === null && !(meant.names.stock && stock !== null) && !meant.names.weight
    return !(isBare && reported.includes(name))
  })
  return items.length === meant.items.length ? meant : { ...meant, items }
}

type Compared = { meant: MeantTable; table: ParsedTable; verdict: Verdict }

function compareColumn(
  name: string,
  wantedOf: (item: MeantItem) => number | null,
  { meant, table, verdict }: Compared,
): void {
  const at = table.columns.findIndex((column) => column.name === name)
  const column: TableColumn | undefined = table.columns[at]
  if (!column) {
    verdict.wrong.push(`no column ${name} among ${table.columns.map((each) => each.name).join(' / ')}`)
    return
  }
  if (column.doubt) return
  if (column.type !== 'number') {
    verdict.isExact = false
    const numbers = table.rows.filter(({ cells }) => /\d/.test(cells[at] ?? '')).length
    if (numbers > 1 && !column.numbers) verdict.wrong.push(`${name} is ${column.type} and says nothing of its numbers`)
    return
  }
  const missing: number[] = []
  for (const [row, item] of meant.items.entries()) {
    const [value, wanted] = [table.rows[row]?.typed[at], wantedOf(item)]
    if (value === wanted) continue
    if (value === null) missing.push(row)
    else if (!(wanted === null && value === 0 && column.notes?.some(({ kind }) => kind === 'zero'))) {
      verdict.wrong.push(`${name} of row ${row + 1} is ${value}, not ${wanted}: ${table.rows[row]?.cells[at]}`)
    }
  }
  if (missing.length > 0) verdict.isExact = false
  if (missing.length > column.unfit)
    verdict.wrong.push(`${name}: ${missing.length} numbers are missing, ${column.unfit} are counted`)
  const least = meant.items.filter(({ isStockLeast, stock }) => isStockLeast && stock).length
  const from = meant.items.filter(({ odd, price }) => odd === 'from' && price !== null).length
  const noted = column.notes?.find(({ kind }) => kind === 'at_least')?.count ?? 0
  const wanted = name === meant.names.stock ? least : name === meant.names.price ? from : noted
  if (noted !== wanted) verdict.wrong.push(`${name}: ${noted} of ${wanted} are noted as at least`)
}

function compareUnits(meant: MeantTable, table: ParsedTable, verdict: Verdict): void {
  if (meant.currencies.length < 2) return
  const column = table.columns.find(({ name }) => name === meant.names.price)
  if (column?.type !== 'number') return
  const unitAt = (column.units?.column ?? 0) - 1
  for (const [row, { price, currency }] of meant.items.entries()) {
    const unit = table.rows[row]?.cells[unitAt]
    if (price !== null && unit !== currency)
      verdict.wrong.push(`the price of row ${row + 1} is in ${unit}, not in ${currency}`)
  }
}

function compareGroups(meant: MeantTable, table: ParsedTable, verdict: Verdict): void {
  const at = table.columns.findIndex((_, column) => table.rows[0]?.cells[column] === meant.items[0]?.group)
  const found = table.rows.map(({ cells }) => cells[at])
  const wanted = meant.items.map(({ group }) => group)
  if (found.join() !== wanted.join()) verdict.wrong.push(`groups are ${found.join()}, not ${wanted.join()}`)
}
