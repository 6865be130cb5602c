// A conversation: the contact, the state of the agent, the messages, and the reply box.
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useComingBox } from '#web/components/chat/composer/use-typing-box.ts'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { type ViewedSource, viewedSource } from '#web/components/passages/viewed-source.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { ApprovalNotes } from '../approvals/approval-notes.tsx'
import { ConversationHeader } from '../conversation-header.tsx'
import { useMentionsSeen } from '../list/mentions-menu.tsx'
import { useAlertsSeen } from '../list/use-alerts-seen.ts'
import { WritingBox } from '../reply/reply-box.tsx'
import { ConversationLog } from '../thread/conversation-log.tsx'
import { CustomerTyping } from '../thread/customer-typing.tsx'
import { PauseBanner } from '../thread/pause-banner.tsx'
import { QueueNote } from '../thread/queue-note.tsx'
import { RatingNote } from '../thread/rating-note.tsx'
import { ThreadNote } from '../thread/thread-note.tsx'
import { useMarkRead } from '../thread/use-mark-read.ts'
import { useConversation } from '../use-conversation.ts'
import { ConversationFiling } from './conversation-filing.tsx'

type ConversationPanelProps = { conversationId: string; isSplitView: boolean; onClose: () => void }

/** Fills its container. `message` in the address is the message at which it opens. Use the conversation's id as the key. */
export function ConversationPanel({ conversationId, isSplitView, onClose }: ConversationPanelProps) {
  const { t } = useTranslation('conversations')
  const conversation = useConversation(conversationId as Id<'conversations'>)
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const [target, setTarget] = useQueryState('message', parseAsString)
  const [opened, setOpened] = useState<ViewedSource | null>(null)
  useMarkRead(conversation)
  useMentionsSeen(conversationId as Id<'conversations'>)
  useAlertsSeen(conversation?.thread?.parts.map(({ _id }) => _id) ?? [conversationId as Id<'conversations'>])
  const isReady = conversation !== undefined && agents !== undefined
  useComingBox(!isReady)
  if (!isReady) {
    return (
      <Delayed>
        <div className="flex flex-col gap-4 p-6">
          <Skeleton className="h-10 w-64" />
          <Skeleton className="h-20 w-1/2" />
          <Skeleton className="h-20 w-1/2 self-end" />
        </div>
      </Delayed>
    )
  }
  const agent = agents.find((each) => each._id === conversation.agentId)
  const openSource = (source: MessageSource, answer: string) => setOpened(viewedSource(source, answer))
  const customerName = conversation.customer?.name || t(($) => $.list.unnamed)
  return (
    <>
      <ConversationHeader
        key={`header ${conversation._id}`}
        conversation={conversation}
        agent={agent}
        customerName={customerName}
        isSplitView={isSplitView}
        onClose={onClose}
      />
      <PartBoundary fallback={null} resetKeys={[conversation]}>
        <ConversationFiling key={`filing ${conversation._id}`} conversation={conversation} />
      </PartBoundary>
      <PartBoundary fallback={null} resetKeys={[conversation]}>
        <ThreadNote conversation={conversation} />
      </PartBoundary>
      <PartBoundary fallback={null} resetKeys={[conversation]}>
        <PauseBanner key={`pause ${conversation._id}`} conversation={conversation} agent={agent} />
      </PartBoundary>
      <PartBoundary fallback={null} resetKeys={[conversation]}>
        <QueueNote conversation={conversation} />
      </PartBoundary>
      <PartBoundary fallback={null} resetKeys={[conversation]}>
        <ApprovalNotes key={`approvals ${conversation._id}`} conversation={conversation} />
      </PartBoundary>
      <PartBoundary fallback={null} resetKeys={[conversation]}>
        <RatingNote rating={conversation.rating} />
      </PartBoundary>
      <WritingBox conversation={conversation} onOpenSource={openSource}>
        <ConversationLog
          key={target}
          target={target}
          onLeaveTarget={() => void setTarget(null)}
          conversation={conversation}
          agent={{ name: conversation.agentName, avatar: agent?.avatar ?? null }}
          customerName={customerName}
          onOpenSource={openSource}
        />
        <CustomerTyping conversation={conversation} customerName={customerName} />
      </WritingBox>
      <PassageViewer source={opened} onClose={() => setOpened(null)} />
    </>
  )
}
