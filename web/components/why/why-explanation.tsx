// Everything that is known of why a message was answered or not, as it is drawn.

import type { Id } from '#shared/ids.ts'
import type { ExplainedTurn, MessageExplanation } from '#shared/messaging/explanations.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { formatMoment } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyRecord } from './why-record.tsx'
import { WhySection } from './why-section.tsx'
import { WhyStanding } from './why-standing.tsx'

type WhyExplanationProps = {
  explanation: MessageExplanation
  /** The one that is shown; undefined: no turn concerns the message. */
  turn: ExplainedTurn | undefined
  /** Its record; null: it has none. */
  trace: TurnTrace | null
  /** What people call the model of this name. */
  modelLabel: (name: string) => string
  onChoose: (turnId: Id<'turns'>) => void
  /** Shows another message. */
  onGoTo: (messageId: Id<'messages'>) => void
}

/** How the message stands, the turns that concern it, and what one of them went through. */
export function WhyExplanation({ explanation, turn, trace, modelLabel, onChoose, onGoTo }: WhyExplanationProps) {
  const { turns } = explanation
  return (
    <div className="flex flex-col gap-6">
      <WhyStanding explanation={explanation} onGoTo={onGoTo} />
      {turns.length > 1 && turn && <Turns turns={turns} shown={turn} onChoose={onChoose} />}
      {trace && <WhyRecord trace={trace} modelLabel={modelLabel} />}
      {turn && !trace && <NoRecord turn={turn} />}
    </div>
  )
}

type TurnsProps = Pick<WhyExplanationProps, 'onChoose'> & { turns: ExplainedTurn[]; shown: ExplainedTurn }

function Turns({ turns, shown, onChoose }: TurnsProps) {
  const { t } = useTranslation('why')
  const turnText = useTurnText()
  return (
    <WhySection title={t(($) => $.turns.title)}>
      <ul className="flex flex-col gap-1">
        {turns.map((turn) => (
          <li key={turn._id}>
            <button
              type="button"
              aria-pressed={turn._id === shown._id}
              onClick={() => onChoose(turn._id)}
              className="flex w-full items-start gap-3 rounded-lg border border-border px-3 py-2 text-start text-sm hover:bg-muted aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:text-primary-soft-foreground pointer-coarse:min-h-11"
            >
              <time dateTime={new Date(turn.at).toISOString()} className="shrink-0 text-xs leading-5">
                {formatMoment(turn.at, Date.now())}
              </time>
              <span className="line-clamp-2 min-w-0 flex-1">{turnText(turn)}</span>
              {turn.kind === 'follow_up' && <Badge>{t(($) => $.followUp)}</Badge>}
            </button>
          </li>
        ))}
      </ul>
    </WhySection>
  )
}

function NoRecord({ turn }: { turn: ExplainedTurn }) {
  const { t } = useTranslation('why')
  const turnText = useTurnText()
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{turnText(turn)}</p>
      <p className="text-muted-foreground text-sm">{t(($) => $.turns[turn.outcome === null ? 'open' : 'noRecord'])}</p>
    </div>
  )
}

function useTurnText(): (turn: ExplainedTurn) => string {
  const { t } = useTranslation('why')
  const outcomeText = useOutcomeText()
  return ({ outcome }) => {
    if (outcome === null) return t(($) => $.turns.notOver)
    return outcome === 'replied' ? t(($) => $.replied) : outcomeText(outcome)
  }
}
