// The test chat itself: the log, the first question, and the box to write in.
import { useState } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#shared/agents.ts'
import type { Message, MessageSource } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { EXTRACTIVE_MODEL } from '#shared/models.ts'
import { api } from '#web/api.ts'
import { ChatLog } from '#web/components/chat/chat-log.tsx'
import { Composer } from '#web/components/chat/composer.tsx'
import { TypingRow } from '#web/components/chat/typing-row.tsx'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { WhySheet } from '#web/components/why/why-sheet.tsx'
import { useMutation, useQuery } from '#web/lib/convex.ts'
import { useCurrentUser } from '#web/lib/current-user.tsx'
import { useDraft } from '#web/lib/draft.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'
import { FirstQuestion } from './first-question.tsx'

/** Live: the answer grows in the log as it is written. */
export function TestChat({ agent }: { agent: Agent }) {
  const { t } = useTranslation('test-chat')
  const user = useCurrentUser()
  const messages: Message[] | undefined = useQuery(api.testChat.messages, { agentId: agent._id })
  const send = useMutation(api.testChat.send, { hasToast: false })
  const modelLabel = useModelLabel()
  const stop = useMutation(api.testChat.stop)
  const [whyOf, setWhyOf] = useState<Id<'turns'> | null>(null)
  const trace = useQuery(api.testChat.why, whyOf ? { turnId: whyOf } : 'skip')
  const [opened, setOpened] = useState<MessageSource | null>(null)
  const [draft, setDraft] = useDraft(`test-chat:${agent._id}`)
  const last = messages?.at(-1)
  const isWaiting = last?.author === 'customer'
  const isAnswering = isWaiting || last?.status === 'streaming'

  /** Resolves when the server has taken the message. */
  const sendText = async (text: string) => {
    await send({ agentId: agent._id, text })
  }

  return (
    <>
      {messages?.length === 0 && (
        <FirstQuestion agent={agent} onAsk={(text) => void sendText(text).catch(toast.failure)} />
      )}
      {messages && messages.length > 0 && (
        <ChatLog
          label={t(($) => $.page.label, { name: agent.name })}
          messages={messages}
          perspective="customer"
          agent={agent}
          customerName={user.name || user.email}
          modelLabel={modelLabel}
          onOpenSource={setOpened}
          onWhy={setWhyOf}
          end={isWaiting && <TypingRow agent={agent} />}
        />
      )}
      {!messages && (
        <div className="min-h-0 flex-1">
          <Delayed>
            <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
              <Skeleton className="h-10 w-1/2 self-end" />
              <Skeleton className="h-24 w-2/3" />
            </div>
          </Delayed>
        </div>
      )}
      <Composer
        label={t(($) => $.compose.label)}
        placeholder={t(($) => $.compose.placeholder)}
        sendLabel={t(($) => $.compose.send)}
        stopLabel={t(($) => $.compose.stop)}
        hint={t(($) => $.compose.hint)}
        draft={draft}
        onDraftChange={setDraft}
        onSend={sendText}
        onStop={isAnswering ? () => stop({ agentId: agent._id }).catch(() => undefined) : undefined}
        enterSends
        hasFocusAtStart
        note={agent.model === EXTRACTIVE_MODEL && <ExtractiveNote agent={agent} />}
      />
      <WhySheet isOpen={whyOf !== null} onClose={() => setWhyOf(null)} trace={trace} modelLabel={modelLabel} />
      <PassageViewer
        source={
          opened && {
            documentId: opened.documentId,
            name: opened.source,
            chunkId: opened.chunkId,
            excerpt: opened.excerpt,
          }
        }
        onClose={() => setOpened(null)}
      />
    </>
  )
}

function ExtractiveNote({ agent }: { agent: Agent }) {
  const { t } = useTranslation('test-chat')
  return (
    <>
      {t(($) => $.page.extractiveNotice)}{' '}
      <Link to={`${paths.agentSettings(agent.slug)}#model`} className="text-primary underline underline-offset-2">
        {t(($) => $.page.changeModel)}
      </Link>
    </>
  )
}
