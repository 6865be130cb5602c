// The business accounts on whose behalf a connected account answers, after one of them changed.
import type { BusinessAccount } from '#shared/channels/channels.ts'

/**
 * The accounts with `updated` in place of its owner's known one, and the link id that their chats had before; null when it is the same, or
 * the owner is new. Late news of a link that was replaced changes nothing.
 */
export function withBusiness(
  known: BusinessAccount[],
  updated: BusinessAccount,
): { businesses: BusinessAccount[]; goneLinkId: string | null } {
  const before = known.find(({ ownerId }) => ownerId === updated.ownerId)
  if (!before) return { businesses: [...known, updated], goneLinkId: null }
  const isSame = before.linkId === updated.linkId
  if (!isSame && updated.since < before.since) return { businesses: known, goneLinkId: null }
  const businesses = [...known.filter((business) => business !== before), updated]
  return { businesses, goneLinkId: isSame ? null : before.linkId }
}
