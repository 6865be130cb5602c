// What held the agent back when a message came, and the state of the message now.
import type { ReactNode } from 'react'
import type { Id } from '#shared/ids.ts'
import type { MessageExplanation, Silence, Standing } from '#shared/messaging/explanations.ts'
import { messageAnchor } from '#web/components/chat/message-run.tsx'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatMoment } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type WhyStandingProps = {
  explanation: Pick<MessageExplanation, 'held' | 'standing'>
  onGoTo: (messageId: Id<'messages'>) => void
}

/** Renders nothing when the turns already explain everything. A silence that has lasted since the message came is shown once. */
export function WhyStanding({ explanation: { held, standing }, onGoTo }: WhyStandingProps) {
  const { t } = useTranslation('why')
  const stillHeld = standing?.kind === 'paused' && held !== null && standing.since === held.since
  if (!held && !standing) return null
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-muted px-4 py-3 text-sm">
      {held && !stillHeld && <SilenceText lead={t(($) => $.held)} silence={held} />}
      {standing && <StandingText standing={standing} onGoTo={onGoTo} />}
    </div>
  )
}

function SilenceText({ lead, silence, children }: { lead: string; silence: Silence; children?: ReactNode }) {
  const { t } = useTranslation('why')
  const { t: word } = useTranslation('conversations')
  const time = formatMoment(silence.since, Date.now())
  return (
    <div>
      <p className="font-medium">{lead}</p>
      <p>
        {word(($) => $.banner.reason[silence.reason])}{' '}
        {silence.by ? t(($) => $.sinceBy, { time, name: silence.by }) : t(($) => $.since, { time })} {children}
      </p>
    </div>
  )
}

function StandingText({ standing, onGoTo }: { standing: Standing } & Pick<WhyStandingProps, 'onGoTo'>) {
  const { t } = useTranslation('why')
  const outcomeText = useOutcomeText()
  const moment = (at: number) => formatMoment(at, Date.now())
  switch (standing.kind) {
    case 'answered':
      return <Answered standing={standing} onGoTo={onGoTo} />
    case 'paused': {
      const { until } = standing
      return (
        <SilenceText lead={t(($) => $.standing.paused)} silence={standing}>
          {until === null ? t(($) => $.untilResumed) : t(($) => $.until, { time: moment(until) })}
        </SilenceText>
      )
    }
    case 'answering':
      return <p>{t(($) => $.standing.answering, { time: moment(standing.since) })}</p>
    case 'waiting':
      return (
        <p>
          {t(($) => $.waiting[standing.for], { time: moment(standing.until) })}{' '}
          {standing.for === 'try' && standing.failure && outcomeText(standing.failure)}
        </p>
      )
    case 'follow_up':
      return <p>{t(($) => $.standing.followUp, { time: moment(standing.at) })}</p>
    default:
      return <p>{t(($) => $.standing[standing.kind])}</p>
  }
}

type AnsweredProps = Pick<WhyStandingProps, 'onGoTo'> & { standing: Extract<Standing, { kind: 'answered' }> }

function Answered({ standing: { by, name, at, messageId }, onGoTo }: AnsweredProps) {
  const { t } = useTranslation('why')
  const time = formatMoment(at, Date.now())
  const operator = name ? t(($) => $.answered.operator, { time, name }) : t(($) => $.answered.somebody, { time })
  const isInSight = document.getElementById(messageAnchor(messageId)) !== null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p>{by === 'agent' ? t(($) => $.answered.agent, { time }) : operator}</p>
      {isInSight && (
        <Button size="sm" onClick={() => onGoTo(messageId)}>
          {t(($) => $.answered.show)}
        </Button>
      )}
    </div>
  )
}
