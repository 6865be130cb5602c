// The record of a turn, from the rules it had to pass to the models that were asked.
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { formatDateTime, formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyAttempts } from './why-attempts.tsx'
import { WhyGates } from './why-gates.tsx'
import { WhyMedia } from './why-media.tsx'
import { WhyOverrides } from './why-overrides.tsx'
import { WhyPrompt } from './why-prompt.tsx'
import { WhySearches } from './why-searches.tsx'
import { WhySentences } from './why-sentences.tsx'
import { WhyTools } from './why-tools.tsx'

type WhyRecordProps = {
  trace: TurnTrace
  /** What people call the model of this name. */
  modelLabel: (name: string) => string
}

/** Sections from the outcome to the prompt; those without content are left out. */
export function WhyRecord({ trace, modelLabel }: WhyRecordProps) {
  return (
    <div className="flex flex-col gap-6">
      <PartBoundary>
        <Outcome trace={trace} modelLabel={modelLabel} />
      </PartBoundary>
      <PartBoundary>
        <WhyGates gates={trace.gates} />
      </PartBoundary>
      <PartBoundary>
        <WhyMedia media={trace.media ?? []} />
      </PartBoundary>
      <PartBoundary>
        <WhySearches searches={trace.searches} />
      </PartBoundary>
      <PartBoundary>
        <WhyTools tools={trace.tools} leftOut={trace.toolsLeftOut} />
      </PartBoundary>
      <PartBoundary>
        <WhySentences sentences={trace.sentences ?? []} searches={trace.searches} />
      </PartBoundary>
      <PartBoundary>
        <WhyAttempts attempts={trace.attempts} modelLabel={modelLabel} />
      </PartBoundary>
      <PartBoundary>{trace.prompt && <WhyPrompt prompt={trace.prompt} />}</PartBoundary>
    </div>
  )
}

function Outcome({ trace, modelLabel }: WhyRecordProps) {
  const { t } = useTranslation('why')
  const outcomeText = useOutcomeText()
  const hasReplied = trace.outcome === 'replied'
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{hasReplied ? t(($) => $.replied) : outcomeText(trace.outcome)}</p>
      <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
        <Badge tone={trace.isDraft ? 'warning' : 'neutral'}>
          {trace.isDraft
            ? t(($) => $.draft, { number: trace.agentVersion })
            : t(($) => $.version, { number: trace.agentVersion })}
        </Badge>
        {trace.kind === 'follow_up' && <Badge>{t(($) => $.followUp)}</Badge>}
        <time dateTime={new Date(trace.startedAt).toISOString()}>{formatDateTime(trace.startedAt, 'medium')}</time>
        <span>{formatDuration(trace.finishedAt - trace.startedAt)}</span>
      </p>
      {Object.keys(trace.overrides).length > 0 && <WhyOverrides overrides={trace.overrides} modelLabel={modelLabel} />}
    </div>
  )
}
