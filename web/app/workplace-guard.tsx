// Keeps the tab in its organization, and brings a person whom it was taken from into another one of theirs.
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { SESSION_EXPIRED_TOAST_MS } from '#shared/limits.ts'
import type { Workplace } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { refreshAuth, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import {
  enterOrganization,
  leaveWorkplace,
  noteWorkplace,
  type Workplace as TabWorkplace,
  takeLostWorkplace,
  workplace,
} from '#web/lib/sign-in/workplace.ts'
import { toast } from '#web/lib/toast.ts'
import { ShellSkeleton } from './layout/shell-skeleton.tsx'

const CreateOrganizationPage = lazy(() =>
  import('./create-organization-page.tsx').then((module) => ({ default: module.CreateOrganizationPage })),
)

/** The screens for who belongs to an organization; for others the way to one. */
export function WorkplaceGuard({ children }: { children: ReactNode }) {
  const { organization } = useCurrentUser()
  useKeptWorkplace()
  useLossNotice()
  return organization ? children : <WithoutOrganization />
}

/** Pins the organization on the screen to this tab. A token that named none until now is exchanged for one that does. */
function useKeptWorkplace(): void {
  const { _id: userId, organization, supportAccesses } = useCurrentUser()
  const organizationId = organization?._id
  const name = organization?.name
  const isOnBehalf = supportAccesses.some(({ isOwn }) => isOwn)
  useEffect(() => {
    if (organizationId === undefined || name === undefined) return
    const note = () => noteWorkplace({ organizationId, name, userId, ...(isOnBehalf && { isOnBehalf }) })
    const isPinned = workplace()?.organizationId === organizationId
    note()
    if (!isPinned) void refreshAuth()
    window.addEventListener('focus', note)
    return () => window.removeEventListener('focus', note)
  }, [organizationId, name, userId, isOnBehalf])
}

/** Says which organization the tab has left, and where it is now. */
function useLossNotice(): void {
  const { t } = useTranslation()
  const { _id: userId, organization } = useCurrentUser()
  const now = organization?.name
  useEffect(() => {
    if (now === undefined) return
    const lost = takeLostWorkplace(userId)
    if (!lost) return
    const kind = lost.isOnBehalf ? 'accessEnded' : 'left'
    const message = lost.name
      ? t(($) => $.organization[kind], { name: lost.name ?? '' })
      : t(($) => $.organization.foreignLink)
    toast.notice(message, {
      description: t(($) => $.organization.nowIn, { name: now }),
      durationMs: SESSION_EXPIRED_TOAST_MS,
    })
  }, [now, userId, t])
}

/** The page of an organization from which an administrator of the installation went into it. */
function ofAdministration({ organizationId }: TabWorkplace): string {
  return `${paths.adminPage('organizations')}/${encodeURIComponent(organizationId)}`
}

/** Into another organization of the person; without one they create theirs. */
function WithoutOrganization() {
  const { _id: userId } = useCurrentUser()
  const [lost] = useState<TabWorkplace | null>(() => workplace() ?? takeLostWorkplace(userId))
  const others: Workplace[] | undefined = useQuery(api.organizations.listMine, {})
  const next = others?.[0]?._id
  useEffect(() => {
    if (!others) return
    const pinned = workplace()
    if (pinned) leaveWorkplace(pinned.organizationId)
    if (next) return pinned?.isOnBehalf ? enterOrganization(next, ofAdministration(pinned)) : enterOrganization(next)
    takeLostWorkplace(userId)
    if (pinned) void refreshAuth()
  }, [others, next, userId])
  if (!others || next) return <ShellSkeleton />
  return <CreateOrganizationPage left={lost?.userId === userId ? lost.name : null} />
}
