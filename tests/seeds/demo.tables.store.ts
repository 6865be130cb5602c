// What the demonstration's tables answer to the questions of its past: computed as for an agent, never made up.

import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { listAnalyzedTables } from '#server/domain/knowledge/tables/tables.store.ts'
import { tablesTool, type UsedTables } from '#server/domain/messaging/replies/tools/tables.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import type { PastConversation, PastMessage } from './demo.history.ts'

type Asked = Pick<PastMessage, 'source' | 'question'>
/** Gives the sources of an answer that was computed; undefined for other answers. */
export type ComputedSources = (message: Asked) => MessageSource[] | undefined

/** Asks each different question of the past once. @throws when a table refuses one */
export async function computeSources(ctx: OrgStoreContext, history: PastConversation[]): Promise<ComputedSources> {
  const spaces = await ctx.db.selectFrom('knowledge_spaces').select('id').execute()
  const tables = await listAnalyzedTables(
    ctx,
    spaces.map(({ id }) => id),
  )
  const known = new Map<string, MessageSource[]>()
  for (const message of history.flatMap(({ messages }) => messages)) {
    if (message.question === null || known.has(keyOf(message))) continue
    const used: UsedTables = new Map()
    const tool = tablesTool(tables, (plan) => askTable(ctx, plan), used, { tool: () => undefined })
    const table = tables.find(({ name }) => name === message.source)?._id
    const result = await tool.run({ table, ...message.question }, new AbortController().signal)
    if (typeof result === 'string') throw new Error(`${message.source}: ${result}`)
    known.set(keyOf(message), [...used.values()])
  }
  return (message) => known.get(keyOf(message))
}

function keyOf({ source, question }: Asked): string {
  return JSON.stringify([source, question])
}
