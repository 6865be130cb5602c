// Above every page: a number that has stopped sending, until it sends again or its page is opened.
import { TriangleAlert } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { AccountState, ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { connectionName, connectionPath } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** States that a working number can get into and does not leave by itself. */
const STOPPED: ReadonlySet<AccountState | null> = new Set(['yellowCard', 'suspended', 'blocked'] as const)

/** Live. Hidden on the number's own page, which has the details. */
export function NumberAlert() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const stopped = connections?.filter(hasStopped).filter((connection) => connectionPath(connection) !== pathname) ?? []
  return (
    <div role="alert" className="empty:hidden print:hidden">
      {stopped.map((connection) => (
        <p
          key={connection._id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-destructive-soft px-4 py-2 text-destructive-soft-foreground text-sm sm:px-6"
        >
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            {t(($) => $.numberAlert.stopped, { name: connectionName(connection) })}
          </span>
          <Link to={connectionPath(connection)} className="font-medium underline underline-offset-4">
            {t(($) => $.numberAlert.open)}
          </Link>
        </p>
      ))}
    </div>
  )
}

/** Includes a phone that was unlinked: until the first one is linked, `identifier` is the id of the instance. */
function hasStopped({ accountState, identifier, externalAccountId }: ChannelConnection): boolean {
  return STOPPED.has(accountState) || (accountState === 'notAuthorized' && identifier !== externalAccountId)
}
