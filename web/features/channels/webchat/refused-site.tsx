// The site that was last not allowed to show a web chat, with a button that puts it into the list.
import type { ConnectionHealth } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type RefusedSiteProps = {
  refused: ConnectionHealth['refusedSite'] | undefined
  /** The list as it is in the form. */
  domains: string[]
  /** Left out where the list is full. */
  onAllow: ((site: string) => void) | undefined
}

/** Nothing where none was refused, or it stands in the list by now. */
export function RefusedSite({ refused, domains, onAllow }: RefusedSiteProps) {
  const { t } = useTranslation('channels')
  if (!refused || domains.includes(refused.site)) return null
  return (
    <Alert tone="warning" title={t(($) => $.webchat.refusedTitle, { site: refused.site })}>
      <p>
        {t(($) => $.webchat.refusedBody)} <RelativeTime at={refused.at} />
      </p>
      {onAllow && (
        <Button size="sm" className="mt-2" onClick={() => onAllow(refused.site)}>
          {t(($) => $.webchat.refusedAllow)}
        </Button>
      )}
    </Alert>
  )
}
