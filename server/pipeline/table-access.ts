// Which tables an agent may ask, and the tool that asks them: for a turn, and for the tester.
import type { Read } from '#server/features/knowledge/search.full.ts'
import { askTable } from '#server/features/knowledge/tables.query.store.ts'
import { listAnalyzedTables } from '#server/features/knowledge/tables.store.ts'
import type { DataBlock, Tool } from '#server/llm/llm.ts'
import type { DataTable } from '#shared/tables.ts'
import { mayUse, spacesWith } from './sources.rules.ts'
import { tablesBlock, tablesTool, type UsedTables } from './tools/tables.ts'
import type { TraceRecorder } from './trace.ts'
import type { Turn } from './turn.store.ts'

/** Whose tables they are: what it may use of which spaces. */
export type TableAsker = Pick<Turn['agent'], 'spaceIds' | 'disabledSources' | 'tags' | 'languages'>

/** `block`: what a model is told about the tables. `used` is filled while the tool runs. No tool where there is no table. */
type OpenTables = { block: DataBlock | undefined; tools: Tool[]; used: UsedTables }

export async function openTables(
  read: Read,
  asker: TableAsker,
  trace: Pick<TraceRecorder, 'tool'>,
  now: Date,
): Promise<OpenTables> {
  const used: UsedTables = new Map()
  const tables = await listUsableTables(read, asker, now)
  const tools =
    tables.length > 0 ? [tablesTool(tables, (plan) => read((store) => askTable(store, plan)), used, trace)] : []
  return { block: tablesBlock(tables), tools, used }
}

/** The oldest first. */
export async function listUsableTables(read: Read, asker: TableAsker, now: Date): Promise<DataTable[]> {
  const spaceIds = spacesWith(asker, 'tables')
  if (spaceIds.length === 0) return [] // most agents have none: no transaction for them
  const analyzed = await read((store) => listAnalyzedTables(store, spaceIds))
  return analyzed.filter((table) => mayUse(asker, table, now.getTime()))
}
