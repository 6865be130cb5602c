// SQL for instructions that a model is writing: one draft per person and agent.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { PromptDraft, PromptLanguage } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'

type Owner = { agentId: Id<'agents'>; userId: Id<'users'> }

/** Starts a draft, replacing an earlier one. @returns its id: the writer stops once the draft is gone */
export async function startDraft(
  ctx: OrgStoreContext,
  owner: Owner,
  asked: { description: string; language: PromptLanguage },
  now: Date,
): Promise<string> {
  await removeDraft(ctx, owner)
  const id = newId()
  await ctx.db
    .insertInto('prompt_drafts')
    .values({
      id,
      organization_id: ctx.organizationId,
      agent_id: owner.agentId,
      user_id: owner.userId,
      description: asked.description,
      language: asked.language,
      status: 'streaming',
      text: '',
      reason: null,
      created_at: now,
    })
    .execute()
  return id
}

/** Writes what there is so far, or the end. @returns false when the draft was thrown away meanwhile */
export async function writeDraft(
  ctx: OrgStoreContext,
  id: string,
  draft: { text: string; status: PromptDraft['status']; reason?: string },
): Promise<boolean> {
  const written = await ctx.db
    .updateTable('prompt_drafts')
    .set({ text: draft.text, status: draft.status, reason: draft.reason ?? null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'streaming')
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** The draft of a person for an agent; null without one. */
export async function findDraft(ctx: OrgStoreContext, owner: Owner): Promise<PromptDraft | null> {
  const row = await ctx.db
    .selectFrom('prompt_drafts')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', owner.agentId)
    .where('user_id', '=', owner.userId)
    .selectAll()
    .executeTakeFirst()
  if (!row) return null
  const { description, language, status, text, reason } = row
  return { description, language, status, text, reason, startedAt: row.created_at.getTime() }
}

/** Throws a draft away; a model that is writing it is stopped. Safe to repeat. */
export async function removeDraft(ctx: OrgStoreContext, owner: Owner): Promise<void> {
  await ctx.db
    .deleteFrom('prompt_drafts')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', owner.agentId)
    .where('user_id', '=', owner.userId)
    .execute()
}
