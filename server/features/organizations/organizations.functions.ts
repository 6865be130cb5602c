// Organizations: made once by the person who signs up.
import { userMutation } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import { createOrganizationInput } from '#shared/organizations.ts'
import * as store from './organizations.store.ts'

/** Makes an organization with the caller as owner and first member. @throws organization_exists */
export const create = userMutation({
  args: createOrganizationInput,
  handler: async (ctx, input) => {
    const id = newId('organizations')
    const { userId } = ctx.caller
    const organization = {
      id,
      name: input.organizationName,
      displayName: input.organizationDisplayName || null,
      supportEmail: input.organizationSupportEmail || null,
      ownerId: userId,
    }
    await store.insertOrganization(ctx, organization, ctx.now)
    await store.insertMember(ctx, userId, id, ctx.now)
    if (input.name) await store.renameOwner(ctx, userId, input.name, ctx.now)
    return store.getOrganization(ctx, id)
  },
})
