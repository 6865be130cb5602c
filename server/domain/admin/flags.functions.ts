// Flags, as administrators of the installation see and set them.

import * as store from '#server/domain/flags/flags.store.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { flagKeyFault, setFlagInput, setFlagOverrideInput } from '#shared/organizations/flags.ts'
import { noArgs } from '#shared/schema.ts'

/** Every flag with its exceptions; live. */
export const list = adminQuery({ args: noArgs, handler: (ctx) => store.listFlags(ctx) })

/** Sets a flag, at once for every server. @throws missing_flag_key, invalid_flag_key */
export const set = adminMutation({
  args: setFlagInput,
  isAudited: true,
  handler: async (ctx, { key, enabled, description }) => {
    const fault = flagKeyFault(key)
    if (fault) throw new AppError(fault)
    const before = await store.findFlag(ctx, key)
    await store.setFlag(ctx, { key, isEnabled: enabled, description, now: ctx.now })
    await ctx.audit({
      resource: { kind: 'flag', id: key, name: key },
      before: {
        enabled: before?.isEnabled ?? null,
        ...(description !== undefined && { description: before?.description }),
      },
      after: { enabled, ...(description !== undefined && { description }) },
    })
    return null
  },
})

/** Sets or ends the exception of an organization. @throws missing_flag_key, not_found, flag_without_overrides */
export const setOverride = adminMutation({
  args: setFlagOverrideInput,
  isAudited: true,
  handler: async (ctx, { key, organizationId, enabled }) => {
    if (key === '') throw new AppError('missing_flag_key')
    const flag = await store.findFlag(ctx, key)
    if (!flag) throw new AppError('not_found')
    if (flag.isForAll) throw new AppError('flag_without_overrides')
    await getOrganization(ctx, organizationId)
    const before = flag.overrides.find((each) => each.organizationId === organizationId)
    await store.setOverride(ctx, { key, organizationId, isEnabled: enabled, now: ctx.now })
    await ctx.audit({
      organizationId,
      resource: { kind: 'flag', id: key, name: key },
      before: { enabled: before?.isEnabled ?? null },
      after: { enabled },
    })
    return null
  },
})
