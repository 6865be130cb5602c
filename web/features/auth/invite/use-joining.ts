// Takes up an invitation and opens its organization.

import { api } from '#web/api.ts'
import { refusalData } from '#web/lib/refusal.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { enterOrganization } from '#web/lib/sign-in/workplace.ts'
import { forgetInvite } from './kept-invite.ts'

/** A function that makes the signed-in person a member. Safe to repeat. @throws what the server refuses it for */
export function useJoining(token: string): () => Promise<void> {
  const accept = useMutation(api.organizations.invites.accept, { hasToast: false })
  return async () => {
    const { organizationId } = await accept({ token }).catch((error: unknown) => {
      // Another try makes no difference to a link that is over.
      if (refusalData(error)?.code.startsWith('invite_')) forgetInvite()
      throw error
    })
    forgetInvite()
    enterOrganization(organizationId)
  }
}
