// SQL of the paid slots of a plan: connections of some channels take one each while they are live.
import { requireFlag } from '#server/domain/flags/flags.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ChannelSlots } from '#shared/channels/channels.ts'
import { CHANNELS, type ConnectedChannel, channelsWhere } from '#shared/channels/manifests.ts'
import { AppError } from '#shared/errors.ts'

const SLOT_CHANNELS = channelsWhere(({ takesSlot }) => takesSlot)

/** The slots of the organization's plan, and how many of them are taken. */
export async function readSlots(ctx: OrgStoreContext): Promise<ChannelSlots> {
  const plan = await ctx.db
    .selectFrom('organizations')
    .leftJoin('plans', 'plans.slug', 'organizations.plan')
    .where('organizations.id', '=', ctx.organizationId)
    .select('plans.channel_slots as allowed')
    .executeTakeFirstOrThrow()
  const { used } = await ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('disconnected_at', 'is', null)
    .where('channel', 'in', SLOT_CHANNELS)
    .select((rows) => rows.fn.countAll<number>().as('used'))
    .executeTakeFirstOrThrow()
  return { used, allowed: plan.allowed }
}

/**
 * Refuses a connection where no more may be made, and one for which the plan has no slot. Existing connections stay, also on a plan with fewer slots.
 *
 * @param added how many are being made and are not stored yet
 * @throws AppError flag_off; channel_slots_used, with their number
 */
export async function requireSlot(ctx: OrgStoreContext, channel: ConnectedChannel, added: 0 | 1): Promise<void> {
  await requireFlag(ctx, 'new_channels')
  if (!CHANNELS[channel].takesSlot) return
  const { used, allowed } = await readSlots(ctx)
  if (allowed !== null && used + added > allowed) throw new AppError('channel_slots_used', { slots: allowed })
}
