// Says that the agent is silent in a conversation, why and until when; or that it speaks although a person was called.
import { Headset, Pause } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { countdownText } from './composer/countdown.ts'

/** Longer than this the date is named as well, milliseconds. */
const DAY_MS = 24 * 3_600_000

type PauseNoteProps = {
  conversation: Pick<Conversation, 'status' | 'pauseReason' | 'resumeAt' | 'needsPerson' | 'handoffNote'>
  /** What can be done about it. */
  children: ReactNode
}

/** A strip over the conversation. Stand it there only while the agent is silent or a person is called. */
export function PauseNote({ conversation, children }: PauseNoteProps) {
  const { t } = useTranslation('conversations')
  const { status, needsPerson, handoffNote } = conversation
  const Icon = needsPerson ? Headset : Pause
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-warning-soft px-4 py-2 text-warning-soft-foreground sm:px-6">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <div className="min-w-48 flex-1">
        {status === 'paused' ? <Silence conversation={conversation} /> : <p>{t(($) => $.banner.called)}</p>}
        {handoffNote && <p className="break-words">{t(($) => $.banner.note, { note: handoffNote })}</p>}
      </div>
      <div className="flex shrink-0 gap-2">{children}</div>
    </div>
  )
}

function Silence({ conversation: { pauseReason, resumeAt } }: Pick<PauseNoteProps, 'conversation'>) {
  const { t } = useTranslation('conversations')
  return (
    <p>
      <span className="font-medium">{t(($) => $.banner.reason[pauseReason ?? 'operator'])}</span>{' '}
      {resumeAt === null ? t(($) => $.banner.manual) : <Until resumeAt={resumeAt} />}
    </p>
  )
}

function Until({ resumeAt }: { resumeAt: number }) {
  const { t } = useTranslation('conversations')
  const now = useSeconds()
  const time = formatDateTime(resumeAt, resumeAt - now < DAY_MS ? 'time' : 'medium')
  return (
    <>
      <span title={formatDateTime(resumeAt, 'full')}>{t(($) => $.banner.until, { time })}</span>
      <span className="tabular-nums" role="timer">
        {' · '}
        {t(($) => $.banner.left, { duration: countdownText(resumeAt, now) })}
      </span>
    </>
  )
}

function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
