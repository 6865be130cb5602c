// How a number stands with Meta, asked when the page is opened.
import type { ChannelConnection } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useAction } from '#web/lib/convex.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/query-client.ts'
import { Fact } from './fact.tsx'

const QUALITY_TONES: Partial<Record<string, 'success' | 'warning' | 'destructive'>> = {
  green: 'success',
  yellow: 'warning',
  red: 'destructive',
}

/** Words of Meta are shown as they are: there may be new ones. */
export function CloudFactsSection({ connection: { _id: connectionId } }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const ask = useAction(api.channels.whatsappCloud.facts, { hasToast: false })
  const { value: facts, error, reload } = useFetched(['cloud facts', connectionId], () => ask({ connectionId }))
  const failure = facts ? undefined : error && describeError(error).message
  return (
    <CardSection title={t(($) => $.whatsappCloud.facts)}>
      {failure && (
        <Alert
          tone="warning"
          title={t(($) => $.whatsappCloud.factsFailed)}
          action={
            <Button size="sm" onClick={reload}>
              {t(($) => $.whatsappCloud.reload)}
            </Button>
          }
        >
          {failure}
        </Alert>
      )}
      {!failure && !facts && (
        <Delayed>
          <Skeleton className="h-24 rounded-lg" />
        </Delayed>
      )}
      {facts && (
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <Fact label={t(($) => $.whatsappCloud.verifiedName)}>
            {facts.verifiedName || t(($) => $.whatsappCloud.notTold)}
          </Fact>
          <Fact label={t(($) => $.whatsappCloud.numberStatus)}>{facts.status}</Fact>
          <Fact label={t(($) => $.whatsappCloud.quality)}>
            <Badge tone={QUALITY_TONES[facts.quality] ?? 'neutral'}>{facts.quality}</Badge>
          </Fact>
          <Fact label={t(($) => $.whatsappCloud.messagingLimit)}>
            {facts.messagingLimit ?? t(($) => $.whatsappCloud.notTold)}
          </Fact>
        </dl>
      )}
    </CardSection>
  )
}
