// The errors that a connection has had: most have passed, so they stand apart from the one that it has now.
import type { ConnectionFault } from '#shared/channels/channels.ts'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { Fact } from './fact.tsx'

/** Inside a `dl`. `errors`: newest first. */
export function PastErrors({ errors }: { errors: ConnectionFault[] }) {
  const { t } = useTranslation('channels')
  return (
    <Fact label={t(($) => $.health.errors)} isWide>
      {errors.length === 0 && <span className="text-muted-foreground">{t(($) => $.health.errorsNone)}</span>}
      <ul className="flex flex-col gap-1.5 font-normal">
        {errors.map(({ at, text }) => (
          <li key={`${at} ${text}`} className="[overflow-wrap:anywhere]">
            {text}
            <span className="text-[0.8125rem] text-muted-foreground">
              {' · '}
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Fact>
  )
}
