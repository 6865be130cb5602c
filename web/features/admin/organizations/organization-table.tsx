// Organizations, a row for each. On smaller screens each row is a card, in which every value names itself.
import { CirclePause, CirclePlay, MoreHorizontal, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdminOrganization, PlanChoice } from '#shared/organizations/admin.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { auditPath, organizationPath } from '../admin-paths.ts'
import type { StandingAct } from './standing-dialog.tsx'
import { LimitField, PlanField } from './standing-fields.tsx'

type Ask = (act: StandingAct) => void
type OrganizationTableProps = { organizations: AdminOrganization[]; plans: PlanChoice[]; onAsk: Ask }

/** Plan and limit are changed in their places. */
export function OrganizationTable({ organizations, plans, onAsk }: OrganizationTableProps) {
  const { t } = useTranslation('admin')
  const heads = ['organization', 'plan', 'limit', 'members', 'messages', 'active'] as const
  return (
    <table className="w-full max-xl:block">
      <caption className="sr-only">{t(($) => $.organizations.title)}</caption>
      <thead className="text-[0.8125rem] text-muted-foreground max-xl:hidden">
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" className="px-2 pb-2 text-start font-medium first:ps-0">
              {t(($) => $.organizations.columns[head])}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody className="divide-y divide-border max-xl:block">
        {organizations.map((organization) => (
          <Row key={organization._id} organization={organization} plans={plans} onAsk={onAsk} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { organization: AdminOrganization; plans: PlanChoice[]; onAsk: Ask }

function Row({ organization, plans, onAsk }: RowProps) {
  const { t } = useTranslation('admin')
  const { members, lastActiveAt } = organization
  return (
    <tr className="relative max-xl:grid max-xl:grid-cols-2 max-xl:gap-x-4 max-xl:gap-y-3 max-xl:py-5 max-xl:first:pt-0 max-xl:last:pb-0 sm:max-xl:grid-cols-3">
      <Name organization={organization} />
      <Cell label={t(($) => $.organizations.columns.plan)} className="max-sm:col-span-full xl:w-40">
        <PlanField organization={organization} plans={plans} />
      </Cell>
      <Cell label={t(($) => $.organizations.columns.limit)} className="max-sm:col-span-full xl:w-44">
        <LimitField organization={organization} />
      </Cell>
      <Cell label={t(($) => $.organizations.columns.members)}>{formatNumber(members)}</Cell>
      <Cell label={t(($) => $.organizations.columns.messages)}>
        <Messages organization={organization} />
      </Cell>
      <Cell label={t(($) => $.organizations.columns.active)}>
        {lastActiveAt === null ? t(($) => $.organizations.never) : <RelativeTime at={lastActiveAt} />}
      </Cell>
      <td className="py-2 text-end align-top max-xl:absolute max-xl:end-0 max-xl:top-3 max-xl:p-0">
        <Acts organization={organization} onAsk={onAsk} />
      </td>
    </tr>
  )
}

function Name({ organization: { _id, name, owner, suspendedReason, suspendedAt } }: Pick<RowProps, 'organization'>) {
  const { t } = useTranslation('admin')
  return (
    <th
      scope="row"
      className="py-3 pe-2 text-start align-top font-normal max-xl:col-span-full max-xl:p-0 max-xl:pe-12 xl:min-w-44"
    >
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={organizationPath(_id)}
          className="min-w-0 break-words font-medium text-primary underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        {suspendedAt !== null && <Badge tone="warning">{t(($) => $.organizations.suspended)}</Badge>}
      </span>
      <span className="mt-0.5 block text-[0.8125rem] text-muted-foreground [overflow-wrap:anywhere]">
        {owner.name} · {owner.email}
      </span>
      {suspendedReason && <span className="mt-0.5 block text-[0.8125rem] break-words">{suspendedReason}</span>}
    </th>
  )
}

function Cell({ label, className = '', children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <td className={`px-2 py-3 align-top tabular-nums max-xl:min-w-0 max-xl:p-0 ${className}`}>
      <span className="mb-1 block text-[0.8125rem] text-muted-foreground xl:hidden">{label}</span>
      {children}
    </td>
  )
}

function Messages({ organization: { messages, allowance } }: Pick<RowProps, 'organization'>) {
  const { t } = useTranslation('admin')
  const isUsedUp = allowance !== null && messages >= allowance
  return (
    <>
      <span className={isUsedUp ? 'font-medium text-destructive-soft-foreground' : ''}>{formatNumber(messages)}</span>
      <span className="block text-[0.8125rem] text-muted-foreground">
        {allowance === null
          ? t(($) => $.organizations.unlimited)
          : t(($) => $.organizations.of, { value: formatNumber(allowance) })}
      </span>
    </>
  )
}

function Acts({ organization, onAsk }: Pick<RowProps, 'organization' | 'onAsk'>) {
  const { t } = useTranslation('admin')
  const { _id, name, suspendedAt } = organization
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.actsOf, { name })}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem asChild>
          <Link to={auditPath(_id)}>
            <ScrollText aria-hidden="true" />
            {t(($) => $.organizations.audit)}
          </Link>
        </DropdownMenuItem>
        {suspendedAt === null ? (
          <DropdownMenuItem isDestructive onSelect={() => onAsk({ what: 'suspend', organization })}>
            <CirclePause aria-hidden="true" />
            {t(($) => $.organizations.suspend)}
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={() => onAsk({ what: 'resume', organization })}>
            <CirclePlay aria-hidden="true" />
            {t(($) => $.organizations.resume)}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
