// Paid connections of the plan, where one is about to be made.
import { Link } from 'react-router'
import type { ChannelSlots } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Says before anything is entered that the plan has no slot left; nothing while there is one. */
export function SlotsNotice() {
  const { t } = useTranslation('channels')
  const { t: tError } = useTranslation('errors')
  const slots: ChannelSlots | undefined = useQuery(api.channelConnections.slots, {})
  if (!slots || slots.allowed === null || slots.used < slots.allowed) return null
  return (
    <Alert tone="warning">
      {tError(($) => $.channel_slots_used, { slots: slots.allowed })}{' '}
      <Link to={paths.channels} className="font-medium underline underline-offset-2">
        {t(($) => $.list.slotsOpen)}
      </Link>
    </Alert>
  )
}
