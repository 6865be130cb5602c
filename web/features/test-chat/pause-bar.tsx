// Shown after a handover in a test chat: the agent is paused, as it would be for a customer, until resumed here.
import { useState } from 'react'
import { PauseNote } from '#web/components/chat/pause-note.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Chat } from './use-test-chat.ts'

/** Renders nothing while the agent is active and no operator is called. */
export function PauseBar({ chat }: { chat: Chat }) {
  const { t } = useTranslation('conversations')
  const [isBusy, setBusy] = useState(false)
  const { state } = chat
  if (!state || (state.status !== 'paused' && !state.needsPerson)) return null
  async function resume() {
    setBusy(true)
    await chat.resume().catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return (
    <PauseNote conversation={state}>
      <Button size="sm" isBusy={isBusy} onClick={resume}>
        {state.status === 'paused' ? t(($) => $.banner.resume) : t(($) => $.banner.settle)}
      </Button>
    </PauseNote>
  )
}
