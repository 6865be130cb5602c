// The tables that an agent may query, and the tools to query them: for a turn, and for the search tester.
import type { Read } from '#server/domain/knowledge/spaces/search.full.ts'
import { askTable, countWordsHeld } from '#server/domain/knowledge/tables/tables.query.store.ts'
import type { TablePlan } from '#server/domain/knowledge/tables/tables.query.ts'
import { listAnalyzedTables } from '#server/domain/knowledge/tables/tables.store.ts'
import type { DataBlock, OfferedTables } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import { mayUse, spacesWith } from '../guards/sources.rules.ts'
import { findTablesTool, tablesBlock, tablesTool, type UsedTables } from './tables.ts'

/** The agent whose tables are opened, with its access to spaces and sources. */
export type TableAsker = Pick<Turn['agent'], 'spaceIds' | 'disabledSources' | 'tags' | 'languages'>

/** `block`: the description of the tables for the model. `used` is filled while the tools run. No tools without tables. */
type OpenTables = { block: DataBlock | undefined; offered?: OfferedTables; tools: Tool[]; used: UsedTables }

/** With more tables than this, the model also gets a tool to search them. */
const SEARCHED_FROM = 5

/** @param question tables that match it are described first */
export async function openTables(
  read: Read,
  asker: TableAsker,
  trace: Pick<TraceRecorder, 'tool'>,
  { now, question }: { now: Date; question: string },
): Promise<OpenTables> {
  const used: UsedTables = new Map()
  const tables = await listUsableTables(read, asker, now)
  if (tables.length === 0) return { block: undefined, tools: [], used }
  const compute = (plan: TablePlan) => read((store) => askTable(store, plan))
  const ask = tablesTool(tables, compute, used, trace)
  const probe = tablesTool(tables, compute, new Map(), { tool: () => undefined })
  const ids = tables.map(({ _id }) => _id)
  const countHeld = (words: string[]) => read((store) => countWordsHeld(store, ids, words))
  const tools = tables.length > SEARCHED_FROM ? [ask, findTablesTool(tables, countHeld, trace)] : [ask]
  return { block: tablesBlock(tables, question), offered: { known: tables, probe }, tools, used }
}

/** The oldest first. */
export async function listUsableTables(read: Read, asker: TableAsker, now: Date): Promise<DataTable[]> {
  const spaceIds = spacesWith(asker, 'tables')
  if (spaceIds.length === 0) return [] // most agents have none: no transaction for them
  const analyzed = await read((store) => listAnalyzedTables(store, spaceIds))
  return analyzed.filter((table) => mayUse(asker, table, now.getTime()))
}
