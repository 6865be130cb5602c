// What the state of a number means for its customers, and what helps.
import { Link } from 'react-router'
import type { AccountState, ChannelConnection } from '#shared/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'

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

/** Nothing for a number that is well. */
export function AccountNotice({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { _id, accountState: state } = connection
  if (state === null || state === 'authorized') return null
  return (
    <Alert
      tone={TONES[state]}
      title={t(($) => $.accountNotice[state].title)}
      action={
        state === 'notAuthorized' && (
          <Link to={`${paths.whatsappSetup}?connection=${_id}`} className={buttonClasses({ size: 'sm' })}>
            {t(($) => $.accountNotice.link)}
          </Link>
        )
      }
    >
      {t(($) => $.accountNotice[state].body)}
    </Alert>
  )
}
