// /settings/team: who belongs to the organization, who is invited, and who takes conversations.
import { may } from '#shared/organizations/policy.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { InvitesSection } from '../members/invites-section.tsx'
import { MembersSection } from '../members/members-section.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import { OperatorsSection } from './operators-section.tsx'

/** Three sections; invitations for those who may invite. */
export function TeamPage() {
  const { organizationRole } = useCurrentUser()
  return (
    <SettingsLayout tab="team">
      <MembersSection />
      {organizationRole && may(organizationRole, 'members.write') && <InvitesSection />}
      <OperatorsSection />
    </SettingsLayout>
  )
}
