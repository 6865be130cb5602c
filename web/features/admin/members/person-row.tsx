// One person: who it is, where they work, how they sign in, and a menu of what can be done.
import { KeyRound, Lock, LockOpen, LogOut, MoreHorizontal, ShieldCheck, ShieldMinus, ShieldPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdminPerson } from '#shared/organizations/admin.ts'
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
import { useTranslation } from '#web/lib/i18n.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { organizationPath } from '../admin-paths.ts'
import { nameOf, type PersonAct } from './person-dialog.tsx'

type PersonRowProps = { person: AdminPerson; onAsk: (what: PersonAct['what']) => void }

/** A list item. */
export function PersonRow({ person, onAsk }: PersonRowProps) {
  const { t } = useTranslation('admin')
  const { _id: me } = useCurrentUser()
  const { _id, avatar, email, role, lockedAt, lockedReason } = person
  const name = nameOf(person)
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <Avatar avatar={avatar} name={name} className="size-10" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-words font-medium">
            {_id === me ? t(($) => $.members.you, { name }) : name}
          </span>
          {role === 'admin' && <Badge tone="primary">{t(($) => $.members.roles.admin)}</Badge>}
          {lockedAt !== null && <Badge tone="destructive">{t(($) => $.members.locked)}</Badge>}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground [overflow-wrap:anywhere]">{email}</p>
        {lockedReason && (
          <p className="break-words text-[0.8125rem]">{t(($) => $.reason.given, { reason: lockedReason })}</p>
        )}
        <Places person={person} />
        <Facts person={person} />
      </div>
      <Acts person={person} onAsk={onAsk} />
    </li>
  )
}

/** The organizations of the person, each with their role in it. */
function Places({ person: { organizations } }: { person: AdminPerson }) {
  const { t } = useTranslation(['admin', 'common'])
  if (organizations.length === 0) {
    return <p className="mt-1 text-[0.8125rem] text-muted-foreground">{t(($) => $.members.nowhere)}</p>
  }
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-[0.8125rem]">
      {organizations.map(({ _id, name, role }) => (
        <li key={_id} className="min-w-0 break-words">
          <Link to={organizationPath(_id)} className="text-primary underline-offset-4 hover:underline">
            {name}
          </Link>{' '}
          <span className="text-muted-foreground">{t(($) => $.roles[role], { ns: 'common' })}</span>
        </li>
      ))}
    </ul>
  )
}

function Facts({ person: { lastActiveAt, sessions, hasTwoStep } }: { person: AdminPerson }) {
  const { t } = useTranslation('admin')
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[0.8125rem] text-muted-foreground">
      <span>
        {lastActiveAt === null ? (
          t(($) => $.members.notSignedIn)
        ) : (
          <>
            {t(($) => $.members.lastActive)}: <RelativeTime at={lastActiveAt} />
          </>
        )}
      </span>
      {sessions > 0 && <span>{t(($) => $.members.sessions, { count: sessions })}</span>}
      {hasTwoStep && (
        <span className="inline-flex items-center gap-1">
          <ShieldCheck aria-hidden="true" className="size-3.5" />
          {t(($) => $.members.twoStep)}
        </span>
      )}
    </p>
  )
}

/** For one's own account without what would lock one out; the second step is switched off in the settings. */
function Acts({ person, onAsk }: PersonRowProps) {
  const { t } = useTranslation('admin')
  const { _id: me } = useCurrentUser()
  const { role, lockedAt, hasTwoStep, sessions } = person
  const isOther = person._id !== me
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.actsOf, { name: nameOf(person) })}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {role === 'admin' ? (
          <DropdownMenuItem disabled={!isOther} onSelect={() => onAsk('takeAdmin')}>
            <ShieldMinus aria-hidden="true" />
            <Words hint={isOther ? null : t(($) => $.members.ownAccess)}>{t(($) => $.members.takeAdmin)}</Words>
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={() => onAsk('giveAdmin')}>
            <ShieldPlus aria-hidden="true" />
            {t(($) => $.members.giveAdmin)}
          </DropdownMenuItem>
        )}
        {sessions > 0 && (
          <DropdownMenuItem onSelect={() => onAsk('endSessions')}>
            <LogOut aria-hidden="true" />
            {t(($) => $.members.endSessions)}
          </DropdownMenuItem>
        )}
        {isOther && hasTwoStep && (
          <DropdownMenuItem onSelect={() => onAsk('resetTwoStep')}>
            <KeyRound aria-hidden="true" />
            {t(($) => $.members.resetTwoStep)}
          </DropdownMenuItem>
        )}
        {isOther && lockedAt === null && (
          <DropdownMenuItem isDestructive onSelect={() => onAsk('lock')}>
            <Lock aria-hidden="true" />
            {t(($) => $.members.lock)}
          </DropdownMenuItem>
        )}
        {lockedAt !== null && (
          <DropdownMenuItem onSelect={() => onAsk('unlock')}>
            <LockOpen aria-hidden="true" />
            {t(($) => $.members.unlock)}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function Words({ hint, children }: { hint: string | null; children: ReactNode }) {
  return (
    <span className="min-w-0">
      {children}
      {hint !== null && <span className="block text-muted-foreground text-xs">{hint}</span>}
    </span>
  )
}
