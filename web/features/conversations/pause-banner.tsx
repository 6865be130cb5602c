// Says that the agent is silent in this conversation, until when, and how to let it speak again.
import { Pause } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { countdownText } from './pause.rules.ts'
import { useResume } from './use-resume.ts'

/** Longer than this the date is named as well, milliseconds. */
const DAY_MS = 24 * 3_600_000

/** Nothing while the agent speaks. */
export function PauseBanner({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const { resume, isBusy } = useResume(conversation._id)
  if (conversation.status !== 'paused') return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-warning-soft px-4 py-2 text-warning-soft-foreground sm:px-6">
      <Pause aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{t(($) => $.banner.paused)}</span>{' '}
        {conversation.resumeAt === null ? t(($) => $.banner.manual) : <Until resumeAt={conversation.resumeAt} />}
      </p>
      <Button size="sm" isBusy={isBusy} onClick={resume}>
        {t(($) => $.banner.resume)}
      </Button>
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
