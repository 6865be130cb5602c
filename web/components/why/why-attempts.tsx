// The models that were asked, what each answered with and what it cost.
import type { ModelNote, TraceAttempt } from '#shared/messaging/trace.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { formatDuration, formatNumber, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhySection } from './why-section.tsx'

type WhyAttemptsProps = { attempts: TraceAttempt[]; modelLabel: (name: string) => string }

/** In the order in which they were asked: the last one answered, or all have failed. */
export function WhyAttempts({ attempts, modelLabel }: WhyAttemptsProps) {
  const { t } = useTranslation('why')
  if (attempts.length === 0) return null
  return (
    <WhySection title={t(($) => $.attempts.title)}>
      <ol className="flex flex-col gap-2">
        {attempts.map((attempt, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished turn never changes
          <li key={index} className="flex flex-col gap-0.5 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              {modelLabel(attempt.model)}
              <Badge tone={attempt.failure === null ? 'success' : 'destructive'}>
                {attempt.failure === null ? t(($) => $.attempts.answered) : t(($) => $.attempts.failed)}
              </Badge>
            </p>
            <AttemptFacts attempt={attempt} />
            <AttemptNotes notes={attempt.notes ?? []} />
          </li>
        ))}
      </ol>
    </WhySection>
  )
}

function AttemptFacts({ attempt }: { attempt: TraceAttempt }) {
  const { t } = useTranslation('why')
  const outcomeText = useOutcomeText()
  const { failure, inputTokens, outputTokens, costMicroUsd, durationMs } = attempt
  const facts = [
    failure === 'aborted' ? t(($) => $.attempts.aborted) : failure && outcomeText(failure),
    inputTokens !== null &&
      outputTokens !== null &&
      t(($) => $.attempts.tokens, { input: formatNumber(inputTokens), output: formatNumber(outputTokens) }),
    costMicroUsd === null ? t(($) => $.attempts.costUnknown) : formatUsd(costMicroUsd / 1e6),
    formatDuration(durationMs),
  ]
  return <p className="text-muted-foreground text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
}

/** What had to be done so that there was an answer. */
function AttemptNotes({ notes }: { notes: ModelNote[] }) {
  const { t } = useTranslation('why')
  const textOf = ({ code, parameter = '', to }: ModelNote) => {
    if (code !== 'parameter') return t(($) => $.attempts.notes[code])
    return to
      ? t(($) => $.attempts.notes.renamed, { parameter, to })
      : t(($) => $.attempts.notes.omitted, { parameter })
  }
  if (notes.length === 0) return null
  return (
    <ul className="list-disc pl-4 text-muted-foreground text-xs">
      {notes.map((note) => (
        <li key={`${note.code} ${note.parameter ?? ''} ${note.to ?? ''}`}>{textOf(note)}</li>
      ))}
    </ul>
  )
}
