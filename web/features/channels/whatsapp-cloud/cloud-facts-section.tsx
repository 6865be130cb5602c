// How a number stands with Meta, asked when the page is opened.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { Fact } from '../connection/fact.tsx'

const QUALITY_TONES = { green: 'success', yellow: 'warning', red: 'destructive' } as const

/** Words of Meta that are not known here are shown as they are. */
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
          <Fact label={t(($) => $.whatsappCloud.numberStatus)}>
            {facts.status === 'connected' ? t(($) => $.whatsappCloud.statuses.connected) : facts.status}
          </Fact>
          <Fact label={t(($) => $.whatsappCloud.quality)}>
            <Quality quality={facts.quality} />
          </Fact>
          <Fact label={t(($) => $.whatsappCloud.messagingLimit)}>
            <Limit tier={facts.messagingLimit} />
          </Fact>
        </dl>
      )}
    </CardSection>
  )
}

function Quality({ quality }: { quality: string }) {
  const { t } = useTranslation('channels')
  const known = isKnown(quality) ? quality : null
  return (
    <Badge tone={known ? QUALITY_TONES[known] : 'neutral'}>
      {known ? t(($) => $.whatsappCloud.qualities[known]) : quality}
    </Badge>
  )
}

function isKnown(quality: string): quality is keyof typeof QUALITY_TONES {
  return quality in QUALITY_TONES
}

/** A tier names how many customers may be written to first in a day: TIER_250, TIER_1K, TIER_UNLIMITED. */
function Limit({ tier }: { tier: string | null }) {
  const { t } = useTranslation('channels')
  if (tier === null) return t(($) => $.whatsappCloud.notTold)
  if (tier === 'TIER_UNLIMITED') return t(($) => $.whatsappCloud.unlimited)
  const [, digits, thousands] = /^TIER_(\d+)(K?)$/.exec(tier) ?? []
  if (digits === undefined) return tier
  const count = Number(digits) * (thousands ? 1000 : 1)
  return t(($) => $.whatsappCloud.tier, { count, number: formatNumber(count) })
}
