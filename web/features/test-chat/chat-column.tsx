// One chat of the page: its log, and the actions that redo parts of it.
import { Pencil, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { ChatLog } from '#web/components/chat/chat-log.tsx'
import { LogStart } from '#web/components/chat/log-start.tsx'
import { TypingRow } from '#web/components/chat/typing-row.tsx'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { type ViewedSource, viewedSource } from '#web/components/passages/viewed-source.ts'
import { Button } from '#web/components/ui/button.tsx'
import { WhySheet } from '#web/components/why/why-sheet.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'
import { EditDialog } from './edit-dialog.tsx'
import type { Chat } from './use-test-chat.ts'

type ChatColumnProps = { agent: Agent; chat: Chat; label: string; customerName: string | undefined }

/** Live: the answer appears in the log as it is written. */
export function ChatColumn({ agent, chat, label, customerName }: ChatColumnProps) {
  const { t } = useTranslation('test-chat')
  const user = useCurrentUser()
  const modelLabel = useModelLabel()
  const [whyOf, setWhyOf] = useState<Message | null>(null)
  const [opened, setOpened] = useState<ViewedSource | null>(null)
  const [edited, setEdited] = useState<Message | null>(null)
  const press = (choice: string) =>
    chat.send(choice, []).catch((error: unknown) => {
      toast.failure(error)
      throw error
    })
  return (
    <>
      <ChatLog
        label={label}
        messages={chat.messages ?? []}
        perspective="customer"
        agent={agent}
        customerName={customerName ?? (user.name || user.email)}
        modelLabel={modelLabel}
        onOpenSource={(source, answer) => setOpened(viewedSource(source, answer))}
        onWhy={setWhyOf}
        actions={(message) =>
          message.author === 'customer' && (
            <Button
              variant="ghost"
              size="icon-sm"
              title={t(($) => $.edit.open)}
              aria-label={t(($) => $.edit.open)}
              onClick={() => setEdited(message)}
            >
              <Pencil />
            </Button>
          )
        }
        // Choices end with the next message, as in a messenger.
        chooses={({ _id }) => (_id === chat.messages?.at(-1)?._id ? press : undefined)}
        onNearTop={chat.loadOlder}
        start={<LogStart status={chat.pages} />}
        end={chat.isWaiting ? <TypingRow agent={agent} /> : <AnswerAgain chat={chat} />}
      />
      <EditDialog
        message={edited}
        onClose={() => setEdited(null)}
        onSend={async (text) => {
          if (edited) await chat.edit(edited._id, text)
        }}
      />
      <WhySheet message={whyOf} where="testChat" onClose={() => setWhyOf(null)} />
      <PassageViewer source={opened} onClose={() => setOpened(null)} />
    </>
  )
}

function AnswerAgain({ chat }: { chat: Chat }) {
  const { t } = useTranslation('test-chat')
  const [isBusy, setBusy] = useState(false)
  if (chat.isAnswering || !chat.messages?.length) return null
  async function regenerate() {
    setBusy(true)
    await chat.regenerate().catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return (
    <div className="flex justify-center">
      <Button variant="ghost" size="sm" isBusy={isBusy} onClick={regenerate} title={t(($) => $.regenerate.hint)}>
        <RefreshCw aria-hidden="true" />
        {t(($) => $.regenerate.label)}
      </Button>
    </div>
  )
}
