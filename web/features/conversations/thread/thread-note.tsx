// The line over conversations that are shown as one: which they are, by which an answer goes out, and separating them.

import { Split } from 'lucide-react'
import { useState } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { SeparateDialog } from '../contact/separate-dialog.tsx'
import { useResume } from './use-resume.ts'

/** Renders nothing for a conversation that is not merged. */
export function ThreadNote({
  conversation: { _id, thread, channel, agentName, status },
}: {
  conversation: Conversation
}) {
  const { t } = useTranslation('conversations')
  const { resume, isBusy } = useResume(_id)
  const [isLeaving, setLeaving] = useState(false)
  if (!thread) return null
  const nameOf = (part: Pick<Conversation, 'channel' | 'agentName'>) =>
    `${channelName(part.channel, currentLanguage())} · ${part.agentName}`
  const { count } = thread
  const silent = counted(thread.parts.filter((part) => part.status === 'paused').map(nameOf))
  const isElsewhere = status === 'active' && silent.length > 0
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-border border-b bg-muted px-4 py-1.5 text-sm sm:px-6">
      <span className="min-w-0 flex-1 basis-52 break-words">
        {t(($) => $.thread.shown, { count, parts: counted(thread.parts.map(nameOf)).join(', ') })}{' '}
        {t(($) => $.thread.answers, { part: nameOf({ channel, agentName }) })}
        {isElsewhere && ` ${t(($) => $.thread.silent, { parts: silent.join(', ') })}`}
      </span>
      {isElsewhere && (
        <Button size="sm" isBusy={isBusy} onClick={resume}>
          {t(($) => $.banner.resume)}
        </Button>
      )}
      <Button size="sm" onClick={() => setLeaving(true)}>
        <Split aria-hidden="true" />
        {t(($) => $.thread.separate)}
      </Button>
      {isLeaving && <SeparateDialog thread={thread} onClose={() => setLeaving(false)} />}
    </div>
  )
}

/** Each name once, with how often it stands there. */
function counted(names: string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].map(([name, { length }]) =>
    length > 1 ? `${name} ×${formatNumber(length)}` : name,
  )
}
