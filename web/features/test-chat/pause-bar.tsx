// The agent has handed over in a test chat: it is silent here as it would be for a customer, until somebody says otherwise.
import { useState } from 'react'
import { PauseNote } from '#web/components/chat/pause-note.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Chat } from './use-test-chat.ts'

/** Nothing while the agent speaks and nobody was called. */
export function PauseBar({ chat }: { chat: Chat }) {
  const { t } = useTranslation('conversations')
  const [isBusy, setBusy] = useState(false)
  const { state } = chat
  if (!state || (state.status !== 'paused' && !state.needsPerson)) return null
  async function resume() {
    setBusy(true)
    await chat.resume().catch(() => undefined) // the toast has told
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
