// How it stands with the calendar of an agent, in a word.
import type { CalendarConnection } from '#shared/integrations/calendar.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Null: it has none. */
export function CalendarBadge({ connection }: { connection: CalendarConnection | null }) {
  const { t } = useTranslation('integrations')
  if (!connection) return <Badge tone="neutral">{t(($) => $.status.none)}</Badge>
  return (
    <Badge tone={connection.status === 'connected' ? 'success' : 'destructive'} hasDot>
      {t(($) => $.status[connection.status])}
    </Badge>
  )
}
