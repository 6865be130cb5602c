// The one box of the page: messages and attachments go to every chat on it, as the customer or as an operator.
import { type ReactNode, useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import { ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'
import { AttachmentsPanel } from '#web/components/chat/attachments/attachments-panel.tsx'
import { DropArea } from '#web/components/chat/attachments/drop-area.tsx'
import { useAttachments } from '#web/components/chat/attachments/use-attachments.ts'
import { Composer } from '#web/components/chat/composer/composer.tsx'
import { useDraft } from '#web/lib/browser/draft.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import type { Chat } from '../use-test-chat.ts'
import { ComposerTools } from './composer-tools.tsx'

type TestComposerProps = {
  agent: Agent
  chats: readonly Chat[]
  /** Shown above the box. */
  note: ReactNode
  /** The chats, which are also a drop target for files. */
  children: ReactNode
}

/** Chats above, box below. */
export function TestComposer({ agent, chats, note, children }: TestComposerProps) {
  const { t } = useTranslation('test-chat')
  const [draft, setDraft] = useDraft(`test-chat:${agent._id}`)
  const [isOperator, setOperator] = useState(false)
  const attachments = useAttachments()
  const pending = isOperator ? [] : attachments.files
  const tickets = pending.flatMap(({ state }) => (state.status === 'ready' ? [state.ticket] : []))
  const isAnswering = chats.some((chat) => chat.isAnswering)

  function addFiles(files: File[]) {
    const left = attachments.add(files)
    if (left > 0) toast.error(t(($) => $.attach.tooMany, { ns: 'conversations', count: ATTACHMENTS_PER_ANSWER }))
  }
  /** Resolves when the server has accepted the message for every chat. */
  async function send(text: string) {
    if (isOperator) {
      await Promise.all(chats.map((chat) => chat.reply(text)))
      return
    }
    await Promise.all(chats.map((chat) => chat.send(text, tickets)))
    attachments.clear()
  }
  const stop = () => {
    for (const chat of chats) if (chat.isAnswering) chat.stop().catch(() => undefined) // reported in a toast
  }
  return (
    <DropArea onFiles={isOperator ? undefined : addFiles}>
      {children}
      <Composer
        label={t(($) => $.compose.label)}
        placeholder={isOperator ? t(($) => $.operator.placeholder) : t(($) => $.compose.placeholder)}
        sendLabel={t(($) => $.compose.send)}
        stopLabel={t(($) => $.compose.stop)}
        hint={t(($) => $.compose.hint)}
        draft={draft}
        onDraftChange={setDraft}
        onSend={send}
        onStop={isAnswering && !isOperator ? stop : undefined}
        onFiles={isOperator ? undefined : addFiles}
        extras={pending.length === 0 ? 'none' : tickets.length === pending.length ? 'ready' : 'waiting'}
        tray={!isOperator && <AttachmentsPanel attachments={attachments} />}
        tools={
          <ComposerTools
            attachments={attachments}
            onFiles={addFiles}
            isOperator={isOperator}
            onOperatorChange={setOperator}
          />
        }
        hasFocusAtStart
        note={note}
      />
    </DropArea>
  )
}
