// The active sessions of the account.
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { forgetFetched, useFetched } from '#web/lib/server/query-client.ts'
import {
  listSessions,
  revokeAllSessions,
  revokeOtherSessions,
  revokeSession,
  type SessionEntry,
} from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { toast } from '#web/lib/toast.ts'
import { deviceName } from './device-name.ts'

/** Query key of the list, for code that invalidates it. */
export const SESSIONS_KEY = ['sessions'] as const

/** Any session but the current one can be signed out. */
export function SessionsSection() {
  const { t } = useTranslation(['settings', 'security'])
  const sessions = useFetched(SESSIONS_KEY, listSessions)
  const end = useEndSession()
  const others = sessions.value?.filter((entry) => !entry.isOwn) ?? []
  return (
    <CardSection
      title={t(($) => $.sessions)}
      description={t(($) => $.sessionsDescription)}
      actions={
        others.length > 0 && (
          <Button
            size="sm"
            isBusy={end.busyWith === 'others'}
            onClick={() =>
              void end.run(
                'others',
                revokeOtherSessions,
                t(($) => $.othersRevoked),
              )
            }
          >
            {t(($) => $.revokeOthers)}
          </Button>
        )
      }
    >
      {sessions.error && <Alert tone="destructive">{t(($) => $.sessionsFailed)}</Alert>}
      {!sessions.value && !sessions.error && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      <ul className="divide-y divide-border">
        {sessions.value?.map((entry) => (
          <SessionRow
            key={entry.id}
            entry={entry}
            isOwn={entry.isOwn}
            isBusy={end.busyWith === entry.id}
            onEnd={() =>
              void end.run(
                entry.id,
                () => revokeSession(entry.id),
                t(($) => $.revoked),
              )
            }
          />
        ))}
      </ul>
      {sessions.value && (
        <div className="mt-4 flex justify-end">
          <Button size="sm" isBusy={end.busyWith === 'all'} onClick={() => void end.all()}>
            {t(($) => $.endAll, { ns: 'security' })}
          </Button>
        </div>
      )}
    </CardSection>
  )
}

type SessionRowProps = { entry: SessionEntry; isOwn: boolean; isBusy: boolean; onEnd: () => void }

function SessionRow({ entry, isOwn, isBusy, onEnd }: SessionRowProps) {
  const { t } = useTranslation('settings')
  const name = deviceName(entry.userAgent) ?? t(($) => $.unknownDevice)
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {entry.ipAddress && <>{entry.ipAddress} · </>}
          <RelativeTime at={Date.parse(entry.lastUsedAt)} />
        </p>
      </div>
      {isOwn ? (
        <Badge tone="success">{t(($) => $.thisSession)}</Badge>
      ) : (
        <Button size="sm" isBusy={isBusy} aria-label={`${t(($) => $.revoke)}: ${name}`} onClick={onEnd}>
          {t(($) => $.revoke)}
        </Button>
      )}
    </li>
  )
}

function useEndSession() {
  const { t } = useTranslation('settings')
  const [busyWith, setBusyWith] = useState<string | null>(null)
  async function run(id: string, end: () => Promise<void>, message: string) {
    setBusyWith(id)
    try {
      await end()
      toast.success(message)
    } catch (error) {
      toast.error(
        describeAuthError(
          error,
          t(($) => $.failed),
        ),
      )
    }
    forgetFetched(SESSIONS_KEY)
    setBusyWith(null)
  }
  /** Loses this session too: the sign-in page follows. */
  async function all() {
    setBusyWith('all')
    try {
      await revokeAllSessions()
    } catch (error) {
      const failed = t(($) => $.failed)
      toast.error(describeAuthError(error, failed))
      setBusyWith(null)
    }
  }
  return { busyWith, run, all }
}
