// Recordings, pictures and files that were read for an answer, and the answer that was spoken: by whom, how well, and for how much.
import type { TraceMedia } from '#shared/messaging/trace.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { formatDuration, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhySection } from './why-section.tsx'

/** In the order in which they were finished; nothing where nothing was read or spoken. */
export function WhyMedia({ media }: { media: TraceMedia[] }) {
  const { t } = useTranslation('why')
  if (media.length === 0) return null
  return (
    <WhySection title={t(($) => $.media.title)}>
      <ul className="flex flex-col gap-2">
        {media.map((made, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished turn never changes
          <li key={index} className="flex flex-col gap-0.5 text-sm">
            <Headline made={made} />
            <Facts made={made} />
          </li>
        ))}
      </ul>
    </WhySection>
  )
}

function Headline({ made: { kind, failure } }: { made: TraceMedia }) {
  const { t } = useTranslation('why')
  const { t: chat } = useTranslation('conversations')
  return (
    <p className="flex flex-wrap items-center gap-2">
      {kind === 'speech' ? t(($) => $.media.speech) : chat(($) => $.attachment.kind[kind])}
      <Badge tone={failure === null ? 'success' : 'destructive'}>
        {failure === null ? t(($) => $.media.done) : t(($) => $.media.failed)}
      </Badge>
    </p>
  )
}

function Facts({ made }: { made: TraceMedia }) {
  const { t } = useTranslation('why')
  const { t: chat } = useTranslation('conversations')
  const { failure, provider, model, costMicroUsd, isApproximate, durationMs } = made
  const cost = formatUsd(costMicroUsd / 1e6)
  const facts = [
    failure !== null && chat(($) => $.attachment.failed[failure]),
    provider !== null && `${provider}/${model ?? ''}`,
    provider !== null && (isApproximate ? t(($) => $.media.about, { cost }) : cost),
    formatDuration(durationMs),
  ]
  return <p className="text-muted-foreground text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
}
