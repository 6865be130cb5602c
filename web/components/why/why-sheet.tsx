// "Why?": what one turn of an agent went through, from the rules it had to pass to the models that were asked.
import type { TurnTrace } from '#shared/trace.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatDateTime, formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyAttempts } from './why-attempts.tsx'
import { WhyGates } from './why-gates.tsx'
import { WhyMedia } from './why-media.tsx'
import { WhyPrompt } from './why-prompt.tsx'
import { WhySearches } from './why-searches.tsx'
import { WhyTools } from './why-tools.tsx'

type WhySheetProps = {
  isOpen: boolean
  onClose: () => void
  /** Undefined while it is loaded; null while the turn is not over. */
  trace: TurnTrace | null | undefined
  /** What people call the model of this name. */
  modelLabel: (name: string) => string
}

/** A panel from the side, so that the conversation stays in view. */
export function WhySheet({ isOpen, onClose, trace, modelLabel }: WhySheetProps) {
  const { t } = useTranslation('why')
  return (
    <Sheet open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <SheetContent title={t(($) => $.title)} className="max-w-xl">
        {trace === undefined && (
          <Delayed>
            <Skeleton className="h-40" />
          </Delayed>
        )}
        {trace === null && <p className="text-muted-foreground">{t(($) => $.notYet)}</p>}
        {trace && <Why trace={trace} modelLabel={modelLabel} />}
      </SheetContent>
    </Sheet>
  )
}

function Why({ trace, modelLabel }: { trace: TurnTrace; modelLabel: (name: string) => string }) {
  return (
    <div className="flex flex-col gap-6">
      <Outcome trace={trace} />
      <WhyGates gates={trace.gates} />
      <WhyMedia media={trace.media ?? []} />
      <WhySearches searches={trace.searches} />
      <WhyTools tools={trace.tools} />
      <WhyAttempts attempts={trace.attempts} modelLabel={modelLabel} />
      {trace.prompt && <WhyPrompt prompt={trace.prompt} />}
    </div>
  )
}

function Outcome({ trace }: { trace: TurnTrace }) {
  const { t } = useTranslation('why')
  const outcomeText = useOutcomeText()
  const hasReplied = trace.outcome === 'replied'
  const changed = Object.keys(trace.overrides)
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
      {changed.length > 0 && (
        <p className="text-muted-foreground text-xs">
          {t(($) => $.overrides)} <code className="break-all">{changed.join(', ')}</code>
        </p>
      )}
    </div>
  )
}
