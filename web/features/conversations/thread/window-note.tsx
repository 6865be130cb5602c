// Above the reply: whether the customer may still be written to in free words, and the way out when not.
import { useEffect, useState } from 'react'
import { manifestOf } from '#shared/channels/manifests.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatMoment } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { TemplateDialog } from '../reply/template-dialog.tsx'

/** Renders nothing for channels that allow messages to customers at any time. */
export function WindowNote({ conversation }: { conversation: Conversation }) {
  const hasWindow = typeof manifestOf(conversation.channel)?.replyWindowMs === 'number'
  return hasWindow ? <Window conversation={conversation} /> : null
}

function Window({ conversation: { _id: conversationId } }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const window: { closesAt: number | null } | undefined = useQuery(api.conversations.templates.window, {
    conversationId,
  })
  const [isChoosing, setChoosing] = useState(false)
  const closesAt = window?.closesAt ?? null
  const isClosed = useIsPast(closesAt)
  if (closesAt === null) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-[0.8125rem]">
      <p className={isClosed ? 'text-warning-soft-foreground' : 'text-muted-foreground'}>
        {isClosed
          ? t(($) => $.template.closed)
          : t(($) => $.template.closesAt, { at: formatMoment(closesAt, Date.now()) })}
      </p>
      <Button size="sm" variant={isClosed ? 'primary' : 'secondary'} onClick={() => setChoosing(true)}>
        {t(($) => $.template.choose)}
      </Button>
      {isChoosing && <TemplateDialog conversationId={conversationId} onClose={() => setChoosing(false)} />}
    </div>
  )
}

/** Turns when the moment has come. */
function useIsPast(at: number | null): boolean {
  const [, setRound] = useState(0)
  const isPast = at !== null && at <= Date.now()
  useEffect(() => {
    if (at === null || isPast) return
    const timer = setTimeout(() => setRound((before) => before + 1), at - Date.now() + 50)
    return () => clearTimeout(timer)
  }, [at, isPast])
  return isPast
}
