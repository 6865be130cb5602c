// In whose names an account answers, after one of them has changed something.
import type { BusinessAccount } from '#shared/channels/channels.ts'

/**
 * The accounts with `told` instead of what was known of its owner, and the link by which their chats went before; null: by the same one, or
 * nothing was known of them. What comes late of a link that was given up changes nothing.
 */
export function withBusiness(
  known: BusinessAccount[],
  told: BusinessAccount,
): { businesses: BusinessAccount[]; goneLinkId: string | null } {
  const before = known.find(({ ownerId }) => ownerId === told.ownerId)
  if (!before) return { businesses: [...known, told], goneLinkId: null }
  const isSame = before.linkId === told.linkId
  if (!isSame && told.since < before.since) return { businesses: known, goneLinkId: null }
  const businesses = [...known.filter((business) => business !== before), told]
  return { businesses, goneLinkId: isSame ? null : before.linkId }
}
