// Which tables an agent may ask, and the tool that asks them: for a turn, and for the tester.
import type { Read } from '#server/domain/knowledge/spaces/search.full.ts'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import type { TablePlan } from '#server/domain/knowledge/tables/tables.query.ts'
import { listAnalyzedTables } from '#server/domain/knowledge/tables/tables.store.ts'
import type { DataBlock, OfferedTables } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import type { TraceRecorder } from '../../trace.ts'
import type { Turn } from '../../turn.ts'
import { mayUse, spacesWith } from '../guards/sources.rules.ts'
import { findTablesTool, tablesBlock, tablesTool, type UsedTables } from './tables.ts'

/** Whose tables they are: what it may use of which spaces. */
export type TableAsker = Pick<Turn['agent'], 'spaceIds' | 'disabledSources' | 'tags' | 'languages'>

/** `block`: what a model is told about the tables. `used` is filled while the tool runs. No tool where there is no table. */
type OpenTables = { block: DataBlock | undefined; offered?: OfferedTables; tools: Tool[]; used: UsedTables }

/** Tables from which on a model can search for the right one. */
const SEARCHED_FROM = 5

/** @param question tables that it is about are described first */
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
  const tools = tables.length > SEARCHED_FROM ? [ask, findTablesTool(tables, trace)] : [ask]
  return { block: tablesBlock(tables, question), offered: { known: tables, probe }, tools, used }
}

/** The oldest first. */
export async function listUsableTables(read: Read, asker: TableAsker, now: Date): Promise<DataTable[]> {
  const spaceIds = spacesWith(asker, 'tables')
  if (spaceIds.length === 0) return [] // most agents have none: no transaction for them
  const analyzed = await read((store) => listAnalyzedTables(store, spaceIds))
  return analyzed.filter((table) => mayUse(asker, table, now.getTime()))
}
