// Says that the agent is silent in this conversation, why and until when, and how to let it speak again; or that it speaks although a
// person was called.
import { Headset, Pause } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AgentSummary } from '#shared/agents.ts'
import type { Conversation } from '#shared/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { countdownText } from './pause.rules.ts'
import { PauseDialog } from './pause-dialog.tsx'
import { useResume } from './use-resume.ts'

/** Longer than this the date is named as well, milliseconds. */
const DAY_MS = 24 * 3_600_000

/** `agent` undefined: it was deleted. */
type PauseBannerProps = { conversation: Conversation; agent: AgentSummary | undefined }

/** Nothing while the agent speaks and nobody was called. */
export function PauseBanner({ conversation, agent }: PauseBannerProps) {
  if (conversation.status === 'active' && conversation.needsPerson) return <CallBanner conversation={conversation} />
  return conversation.status === 'paused' ? <SilenceBanner conversation={conversation} agent={agent} /> : null
}

function CallBanner({ conversation }: Pick<PauseBannerProps, 'conversation'>) {
  const { t } = useTranslation('conversations')
  const { resume, isBusy } = useResume(
    conversation._id,
    t(($) => $.banner.settled),
  )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-warning-soft px-4 py-2 text-warning-soft-foreground sm:px-6">
      <Headset aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-48 flex-1">{t(($) => $.banner.called)}</p>
      <Button size="sm" isBusy={isBusy} onClick={resume}>
        {t(($) => $.banner.settle)}
      </Button>
    </div>
  )
}

function SilenceBanner({ conversation, agent }: PauseBannerProps) {
  const { t } = useTranslation('conversations')
  const { resume, isBusy } = useResume(conversation._id)
  const [isChanging, setChanging] = useState(false)
  const { needsPerson, pauseReason, handoffNote, resumeAt } = conversation
  const Icon = needsPerson ? Headset : Pause
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-warning-soft px-4 py-2 text-warning-soft-foreground sm:px-6">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <div className="min-w-48 flex-1">
        <p>
          <span className="font-medium">{t(($) => $.banner.reason[pauseReason ?? 'operator'])}</span>{' '}
          {resumeAt === null ? t(($) => $.banner.manual) : <Until resumeAt={resumeAt} />}
        </p>
        {handoffNote && <p className="break-words">{t(($) => $.banner.note, { note: handoffNote })}</p>}
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="sm" variant="ghost" onClick={() => setChanging(true)}>
          {t(($) => $.banner.change)}
        </Button>
        <Button size="sm" isBusy={isBusy} onClick={resume}>
          {t(($) => $.banner.resume)}
        </Button>
      </div>
      {isChanging && <PauseDialog conversation={conversation} agent={agent} onClose={() => setChanging(false)} />}
    </div>
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
