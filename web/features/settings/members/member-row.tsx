// One member: who it is, their role, and a menu of what else can be done.
import { Crown, LogOut, MoreHorizontal, ShieldCheck, UserMinus } from 'lucide-react'
import { useId } from 'react'
import type { MemberDetails } from '#shared/organizations/members.ts'
import { GRANTED_ROLES, type GrantedRole, may, mayManage } from '#shared/organizations/policy.ts'
import { api } from '#web/api.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

export type MemberAction = 'remove' | 'leave' | 'handOver'
type MemberRowProps = { member: MemberDetails; onAsk: (action: MemberAction) => void }

/** On phones the role stands below the person. */
export function MemberRow({ member, onAsk }: MemberRowProps) {
  const { t } = useTranslation('settings')
  const { _id: me } = useCurrentUser()
  const name = member.name || member.email
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-3 py-4 first:pt-0 last:pb-0">
      <Avatar avatar={member.avatar} name={name} className="size-10 self-start" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="break-words font-medium">{member._id === me ? t(($) => $.members.you, { name }) : name}</p>
        <p className="break-words text-[0.8125rem] text-muted-foreground">
          {[member.jobTitle, member.email].filter(Boolean).join(' · ')}
        </p>
        <Facts member={member} />
      </div>
      <div className="flex items-center gap-1 max-sm:w-full max-sm:ps-13">
        <RoleChoice member={member} name={name} />
        <MoreMenu member={member} name={name} onAsk={onAsk} />
      </div>
    </li>
  )
}

function Facts({ member: { lastActiveAt, hasTwoStep } }: { member: MemberDetails }) {
  const { t } = useTranslation('settings')
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-[0.8125rem] text-muted-foreground">
      <span>
        {lastActiveAt === null ? (
          t(($) => $.members.notSignedIn)
        ) : (
          <>
            {t(($) => $.members.lastActive)}: <RelativeTime at={lastActiveAt} />
          </>
        )}
      </span>
      {hasTwoStep && (
        <span className="inline-flex items-center gap-1">
          <ShieldCheck aria-hidden="true" className="size-3.5" />
          {t(($) => $.members.twoStep)}
        </span>
      )}
    </p>
  )
}

/** A list where the role may be changed; the owner's is handed over instead. */
function RoleChoice({ member, name }: { member: MemberDetails; name: string }) {
  const { t } = useTranslation(['settings', 'common'])
  const { _id: me, organizationRole } = useCurrentUser()
  const setRole = useMutation(api.organizations.members.setRole)
  const hintId = useId()
  const words = (role: MemberDetails['role']) => t(($) => $.roles[role], { ns: 'common' })
  const isFixed = !organizationRole || !mayManage(organizationRole, member.role)
  if (isFixed)
    return (
      <div className="flex-1 sm:w-44 sm:flex-none">
        <Badge tone={member.role === 'owner' ? 'primary' : 'neutral'}>{words(member.role)}</Badge>
      </div>
    )
  const isOwn = member._id === me

  function change(next: string) {
    const role = GRANTED_ROLES.find((each) => each === next)
    if (!role || role === member.role) return
    setRole({ userId: member._id, role }).then(
      () => toast.success(t(($) => $.members.roleChanged, { name, role: words(role) })),
      () => undefined, // reported in a toast
    )
  }
  return (
    <div className="flex-1 sm:w-44 sm:flex-none">
      <Select
        aria-label={t(($) => $.members.roleOf, { name })}
        aria-describedby={isOwn ? hintId : undefined}
        title={isOwn ? t(($) => $.members.ownRole) : undefined}
        disabled={isOwn}
        value={member.role}
        onValueChange={change}
        options={GRANTED_ROLES.map((role) =>
          roleOption(
            role,
            words(role),
            t(($) => $.roleHints[role], { ns: 'common' }),
          ),
        )}
      />
      {isOwn && (
        <span id={hintId} className="sr-only">
          {t(($) => $.members.ownRole)}
        </span>
      )}
    </div>
  )
}

function roleOption(value: GrantedRole, label: string, hint: string) {
  return { value, label, hint }
}

function MoreMenu({ member, name, onAsk }: MemberRowProps & { name: string }) {
  const { t } = useTranslation('settings')
  const { _id: me, organizationRole: role } = useCurrentUser()
  const isMe = member._id === me
  const mayHandOver = role !== null && may(role, 'organization.own') && !isMe
  const mayRemove = role !== null && mayManage(role, member.role) && !isMe
  const mayLeave = isMe && member.role !== 'owner'
  // The place stays, so that the roles stand below each other.
  if (!mayHandOver && !mayRemove && !mayLeave) return <span className="size-9 max-sm:hidden" />
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.members.more, { name })}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {mayHandOver && (
          <DropdownMenuItem onSelect={() => onAsk('handOver')}>
            <Crown aria-hidden="true" />
            {t(($) => $.members.handOver)}
          </DropdownMenuItem>
        )}
        {mayRemove && (
          <DropdownMenuItem isDestructive onSelect={() => onAsk('remove')}>
            <UserMinus aria-hidden="true" />
            {t(($) => $.members.remove)}
          </DropdownMenuItem>
        )}
        {mayLeave && (
          <DropdownMenuItem isDestructive onSelect={() => onAsk('leave')}>
            <LogOut aria-hidden="true" />
            {t(($) => $.members.leave)}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
