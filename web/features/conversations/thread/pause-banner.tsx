// What an operator can do while the agent is paused in a conversation, or while a called operator has not come.

import { useState } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { PauseNote } from '#web/components/chat/pause-note.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { PauseDialog } from './pause-dialog.tsx'
import { useResume } from './use-resume.ts'

/** `agent` undefined: it was deleted. */
type PauseBannerProps = { conversation: Conversation; agent: AgentSummary | undefined }

/** Renders nothing while the agent is active and no operator is called, and in a deleted conversation, which is restored first. */
export function PauseBanner({ conversation, agent }: PauseBannerProps) {
  if (conversation.folder === 'deleted') return null
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
    <PauseNote conversation={conversation}>
      <May need="inbox.write">
        <Button size="sm" isBusy={isBusy} onClick={resume}>
          {t(($) => $.banner.settle)}
        </Button>
      </May>
    </PauseNote>
  )
}

function SilenceBanner({ conversation, agent }: PauseBannerProps) {
  const { t } = useTranslation('conversations')
  const { resume, isBusy } = useResume(conversation._id)
  const [isChanging, setChanging] = useState(false)
  return (
    <>
      <PauseNote conversation={conversation}>
        <May need="inbox.write">
          <Button size="sm" variant="ghost" onClick={() => setChanging(true)}>
            {t(($) => $.banner.change)}
          </Button>
          <Button size="sm" isBusy={isBusy} onClick={resume}>
            {t(($) => $.banner.resume)}
          </Button>
        </May>
      </PauseNote>
      {isChanging && <PauseDialog conversation={conversation} agent={agent} onClose={() => setChanging(false)} />}
    </>
  )
}
