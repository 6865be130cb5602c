// Below the messages: the agent's answer as it is written, or the sign that it is about to start. It is sent once complete, or never; an
// answer that is not sent disappears from here.
import { PencilLine } from 'lucide-react'
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { AnswerDraft } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { TypingRow } from '#web/components/chat/typing-row.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Markdown } from '#web/components/ui/markdown.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

type Agent = { name: string; avatar: string | null }
type AnswerDraftsProps = { conversation: Conversation; agent: Agent }

/** Merged conversations may have several answers in progress. The start of an answer is announced, its text is not. */
export function AnswerDrafts({ conversation, agent }: AnswerDraftsProps) {
  const { t } = useTranslation('conversations')
  const drafts: AnswerDraft[] = useQuery(api.conversations.drafts.list, { conversationId: conversation._id }) ?? []
  const written = drafts.map((draft) => ({ ...draft, agent: writerOf(draft, conversation, agent) }))
  const isAboutToCome = conversation.isReplying && !drafts.some((draft) => draft.conversationId === conversation._id)
  const [first] = written
  return (
    <>
      <p role="status" className="sr-only">
        {first && t(($) => $.message.answering, { name: first.agent.name })}
      </p>
      {written.map((draft) => (
        <DraftRow key={draft.turnId} agent={draft.agent} text={draft.text} />
      ))}
      {isAboutToCome && <TypingRow agent={agent} isOwn />}
    </>
  )
}

/** Looks like a message of the agent that has not been sent. */
function DraftRow({ agent, text }: { agent: Agent; text: string }) {
  const { t } = useTranslation('conversations')
  return (
    <div className="flex flex-row-reverse gap-3">
      <Avatar avatar={agent.avatar} name={agent.name} className="mt-0.5 size-8" />
      <div className="flex min-w-0 max-w-[min(44rem,85%)] flex-col items-end gap-1.5">
        <p className="flex max-w-full items-center gap-1.5 text-muted-foreground text-xs">
          <span className="truncate font-medium text-foreground">{agent.name}</span>
          <PencilLine aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="shrink-0">{t(($) => $.message.unsent)}</span>
        </p>
        <article
          aria-label={t(($) => $.message.draftOf, { name: agent.name })}
          aria-busy="true"
          aria-live="off"
          className="min-w-0 max-w-full rounded-2xl border border-border border-dashed bg-surface px-3.5 py-2.5 text-muted-foreground"
        >
          <Markdown text={text} isStreaming />
        </article>
      </div>
    </div>
  )
}

/** The avatar is known only for the conversation's own agent. */
function writerOf({ conversationId }: AnswerDraft, { _id, thread }: Conversation, agent: Agent): Agent {
  const part = conversationId === _id ? undefined : thread?.parts.find((each) => each._id === conversationId)
  return part ? { name: part.agentName, avatar: null } : agent
}
