// The people of the organization, with what can be done about each.
import { useMemo, useState } from 'react'
import type { MemberDetails } from '#shared/organizations/members.ts'
import { may } from '#shared/organizations/policy.ts'
import { api } from '#web/api.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { LeaveDialog, RemoveDialog } from './leaving-dialogs.tsx'
import { type MemberAction, MemberRow } from './member-row.tsx'

/** With fewer people a search is in the way. */
const SEARCH_FROM = 11

/** Live: a colleague who joins, leaves or changes role is seen at once. */
export function MembersSection() {
  const { t } = useTranslation('settings')
  const members: MemberDetails[] | undefined = useQuery(api.organizations.members.list, {})
  const { organizationRole } = useCurrentUser()
  const [asked, setAsked] = useState<{ action: MemberAction; member: MemberDetails } | null>(null)
  const [search, setSearch] = useState('')
  const shown = useFound(members, search)
  const mayChange = organizationRole !== null && may(organizationRole, 'members.write')
  const close = () => setAsked(null)
  return (
    <CardSection
      title={t(($) => $.members.title)}
      description={`${t(($) => $.members.description)}${mayChange ? '' : ` ${t(($) => $.members.readOnly)}`}`}
    >
      {!members && (
        <Delayed>
          <Skeleton className="h-16" />
        </Delayed>
      )}
      {members && members.length >= SEARCH_FROM && (
        <Input
          type="search"
          className="mb-4"
          aria-label={t(($) => $.members.filter)}
          placeholder={t(($) => $.members.filter)}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <p role="status" className="text-muted-foreground empty:hidden">
        {members && shown.length === 0 && t(($) => $.members.filterNone)}
      </p>
      <ul className="divide-y divide-border">
        {shown.map((member) => (
          <MemberRow key={member._id} member={member} onAsk={(action) => setAsked({ action, member })} />
        ))}
      </ul>
      {asked?.action === 'remove' && <RemoveDialog member={asked.member} onClose={close} />}
      {asked?.action === 'leave' && <LeaveDialog onClose={close} />}
      {asked?.action === 'handOver' && <HandOverDialog member={asked.member} onClose={close} />}
    </CardSection>
  )
}

/** By name, address, job title or role. */
function useFound(members: MemberDetails[] | undefined, search: string): MemberDetails[] {
  const { t } = useTranslation()
  return useMemo(() => {
    const words = search.trim().toLowerCase()
    return (members ?? []).filter(({ name, email, jobTitle, role }) =>
      [name, email, jobTitle, t(($) => $.roles[role])].some((text) => text.toLowerCase().includes(words)),
    )
  }, [members, search, t])
}
