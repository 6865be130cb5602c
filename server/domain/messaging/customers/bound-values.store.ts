// SQL of what the server knows of a conversation's customer: what tools are given in place of anything that the model could say of them.
import { listPersonContacts, NUMBER_SUFFIX } from '#server/domain/messaging/customers/people.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { BoundSource } from '#shared/tools/tools.ts'

type BoundValues = Partial<Record<BoundSource, string>>

/** Missing is what is not known: a telephone number is one under which a messenger knows the person, never one that they have written. */
export async function findBoundValues(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<BoundValues> {
  const conversation = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', conversationId)
    .select('customer_id')
    .executeTakeFirst()
  if (!conversation?.customer_id) return {}
  const contacts = await listPersonContacts(ctx, conversation.customer_id)
  const own = contacts.find(({ id }) => id === conversation.customer_id)
  const phone = [...(own ? [own] : []), ...contacts].map(phoneOf).find((number) => number !== null)
  return {
    ...(contacts[0] && { contact_id: contacts[0].id }),
    ...(own && { channel_id: own.external_id }),
    ...(phone && { phone }),
  }
}

/** Digits in the international form. */
function phoneOf({ channel, external_id: id }: { channel: Parameters<typeof manifestOf>[0]; external_id: string }) {
  if (manifestOf(channel)?.customerIds !== 'phone') return null
  const number = id.endsWith(NUMBER_SUFFIX) ? id.slice(0, -NUMBER_SUFFIX.length) : id
  return /^\d{6,15}$/.test(number) ? number : null
}
