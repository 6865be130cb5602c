// What the state of a number means for its customers, and what helps.
import { Link } from 'react-router'
import { type AccountState, type ChannelConnection, isFrozen } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { QueueButton } from '../whatsapp/queue-button.tsx'

const TONES = {
  notAuthorized: 'warning',
  starting: 'info',
  sleepMode: 'info',
  yellowCard: 'destructive',
  suspended: 'destructive',
  blocked: 'destructive',
  pendingPassword: 'warning',
  unknown: 'warning',
} as const satisfies Record<Exclude<AccountState, 'authorized'>, string>

/** What the provider has taken before then would leave in a burst afterwards. */
const RESTRICTED: ReadonlySet<AccountState> = new Set(['yellowCard', 'suspended', 'blocked'] as const)

/** Nothing for a number that is well. */
export function AccountNotice({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { _id, accountState: state } = connection
  const isClosed = isFrozen(state)
  const waiting: number | undefined = useQuery(api.channels.whatsapp.waiting, isClosed ? { connectionId: _id } : 'skip')
  if (state === null || state === 'authorized') return null
  return (
    <Alert
      tone={TONES[state]}
      title={t(($) => $.accountNotice[state].title)}
      action={
        state === 'notAuthorized' && (
          <Link to={`${paths.channelSetup('whatsapp')}?connection=${_id}`} className={buttonClasses({ size: 'sm' })}>
            {t(($) => $.accountNotice.link)}
          </Link>
        )
      }
    >
      <p>{t(($) => $.accountNotice[state].body)}</p>
      {waiting !== undefined && waiting > 0 && (
        <p className="mt-1 font-medium">{t(($) => $.accountNotice.waiting, { count: waiting })}</p>
      )}
      {RESTRICTED.has(state) && (
        <div className="mt-3 flex flex-col items-start gap-1.5">
          <p>{t(($) => $.accountNotice.queue)}</p>
          <QueueButton connectionId={_id} />
        </div>
      )}
    </Alert>
  )
}
