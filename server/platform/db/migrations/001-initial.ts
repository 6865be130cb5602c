// The schema of the first release, part by part. What is generated from keys.ts (policies, triggers of live queries) is not in here.
import type { Kysely } from 'kysely'
import { accounts } from './initial/accounts.ts'
import { agents } from './initial/agents.ts'
import { alerts } from './initial/alerts.ts'
import { api } from './initial/api.ts'
import { attachments } from './initial/attachments.ts'
import { channels } from './initial/channels.ts'
import { conversations } from './initial/conversations.ts'
import { desk } from './initial/desk.ts'
import { engine } from './initial/engine.ts'
import { exports } from './initial/exports.ts'
import { functions } from './initial/functions.ts'
import { knowledge } from './initial/knowledge.ts'
import { knowledgeCases } from './initial/knowledge-cases.ts'
import { knowledgePairs } from './initial/knowledge-pairs.ts'
import { knowledgeProposals } from './initial/knowledge-proposals.ts'
import { knowledgeQueries } from './initial/knowledge-queries.ts'
import { references } from './initial/references.ts'
import { retention } from './initial/retention.ts'
import { rows } from './initial/rows.ts'
import { tables } from './initial/tables.ts'
import { usage } from './initial/usage.ts'
import { web } from './initial/web.ts'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...functions,
    ...accounts,
    ...engine,
    ...usage,
    ...api,
    ...exports,
    ...knowledge,
    ...retention,
    ...agents,
    ...knowledgeCases,
    ...knowledgePairs,
    ...web,
    ...tables,
    ...channels,
    ...conversations,
    ...attachments,
    ...desk,
    ...alerts,
    ...knowledgeProposals,
    ...knowledgeQueries,
    ...references,
    ...rows,
  ])
}
