// The messages of a conversation: live at the end, older ones loaded near the beginning; or those around one message.
import { Link as LinkIcon } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Conversation, Message, MessageSource } from '#shared/messaging/conversations.ts'
import type { Note } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { ChatLog } from '#web/components/chat/chat-log.tsx'
import { LogStart } from '#web/components/chat/log-start.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { WhySheet } from '#web/components/why/why-sheet.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'
import { AnswerDrafts } from '../reply/answer-drafts.tsx'
import { MessageTranslation, TranslateButton } from './message-translation.tsx'
import { useMessages } from './use-messages.ts'
import { useTranslations } from './use-translations.ts'

type ConversationLogProps = {
  conversation: Conversation
  agent: { name: string; avatar: string | null }
  customerName: string
  onOpenSource: (source: MessageSource, answer: string) => void
  /** The message that the link points to. */
  target: string | null
  /** Shows the newest messages again. */
  onLeaveTarget: () => void
}

/** The log from the operator's perspective. Use the target as its key. */
export function ConversationLog({
  conversation,
  agent,
  customerName,
  onOpenSource,
  target,
  onLeaveTarget,
}: ConversationLogProps) {
  const { t } = useTranslation('conversations')
  const { messages, isLoading, status, isWithNewest, loadOlder, loadNewer } = useMessages(conversation._id, target)
  const notes = useNotes(conversation._id, {
    since: status === 'Exhausted' ? 0 : (messages[0]?.createdAt ?? 0),
    until: isWithNewest ? Number.POSITIVE_INFINITY : (messages.at(-1)?.createdAt ?? 0),
  })
  const removeNote = useRemoveNote()
  const modelLabel = useModelLabel()
  const resend = useResend()
  const mayWrite = useMay('inbox.write')
  const translations = useTranslations()
  const [whyOf, setWhyOf] = useState<Message | null>(null)
  useMissingTarget(target, isLoading ? null : messages)
  if (isLoading) {
    return (
      <div className="min-h-0 flex-1">
        <Delayed>
          <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
            <Skeleton className="h-16 w-1/2" />
            <Skeleton className="h-16 w-1/2 self-end" />
          </div>
        </Delayed>
      </div>
    )
  }
  return (
    <>
      <ChatLog
        label={t(($) => $.page.messages)}
        messages={messages}
        notes={notes}
        onRemoveNote={removeNote}
        perspective="operator"
        agent={agent}
        customerName={customerName}
        modelLabel={modelLabel}
        onOpenSource={onOpenSource}
        onWhy={setWhyOf}
        onResend={mayWrite ? resend : undefined}
        onNearTop={loadOlder}
        target={target}
        below={isWithNewest ? undefined : { onNear: loadNewer, onJump: onLeaveTarget }}
        actions={(message) => (
          <>
            <CopyLink message={message} />
            {mayWrite && <TranslateButton message={message} translations={translations} />}
          </>
        )}
        beneath={(message) => <MessageTranslation message={message} translations={translations} />}
        start={<LogStart status={status} />}
        end={isWithNewest && mayWrite && <AnswerDrafts conversation={conversation} agent={agent} />}
      />
      <WhySheet message={whyOf} where="conversations" onClose={() => setWhyOf(null)} />
    </>
  )
}

function CopyLink({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  const link = new URL(paths.message(message.conversationId, message._id), window.location.origin).href
  return <CopyButton text={link} label={t(($) => $.message.copyLink)} icon={LinkIcon} />
}

/** The message of a link may have been deleted: the newest messages are shown then, with an explanation. */
function useMissingTarget(target: string | null, messages: Message[] | null): void {
  const { t } = useTranslation('conversations')
  const isMissing = target !== null && messages !== null && !messages.some(({ _id }) => _id === target)
  useEffect(() => {
    if (isMissing) toast.error(t(($) => $.message.missing))
  }, [isMissing, t])
}

/** Notes between the oldest and the newest loaded message. */
function useNotes(conversationId: Id<'conversations'>, { since, until }: { since: number; until: number }): Note[] {
  const notes: Note[] | undefined = useQuery(api.conversations.notes.list, { conversationId })
  return useMemo(
    () => notes?.filter(({ createdAt }) => createdAt >= since && createdAt <= until) ?? [],
    [notes, since, until],
  )
}

/** Authors can remove their own notes. */
function useRemoveNote(): (note: Note) => (() => void) | undefined {
  const { t } = useTranslation('conversations')
  const me = useCurrentUser()._id
  const mayWrite = useMay('inbox.write')
  const remove = useMutation(api.conversations.notes.remove)
  return (note) => {
    if (!mayWrite || note.author?._id !== me) return undefined
    return () => {
      remove({ noteId: note._id }).then(
        () => toast.success(t(($) => $.note.removed)),
        () => undefined, // reported in a toast
      )
    }
  }
}

/** Sends parts again one after the other, in order. */
function useResend(): (parts: Id<'outbox'>[]) => Promise<void> {
  const { t } = useTranslation('conversations')
  const resend = useMutation(api.conversations.resend)
  return useCallback(
    async (parts) => {
      for (const outboxId of parts) await resend({ outboxId })
      toast.success(t(($) => $.delivery.resent))
    },
    [resend, t],
  )
}
