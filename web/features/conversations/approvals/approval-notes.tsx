// Over the messages of a conversation: calls of tools that wait for someone to agree, and those of which no one knows what has become.
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { ToolApproval } from '#shared/tools/approvals.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { ApprovalCard } from './approval-card.tsx'

const SHOWN: ReadonlySet<ToolApproval['status']> = new Set(['waiting', 'approved', 'running', 'uncertain'])

/** Renders nothing where there is none. */
export function ApprovalNotes({ conversation: { _id: conversationId } }: { conversation: Conversation }) {
  const approvals: ToolApproval[] = useQuery(api.conversations.approvals.list, { conversationId }) ?? []
  const shown = approvals.filter(({ status }) => SHOWN.has(status))
  if (shown.length === 0) return null
  return (
    <ul className="flex max-h-[40dvh] flex-col divide-y divide-border overflow-y-auto border-border border-b bg-surface">
      {shown.map((approval) => (
        <li key={approval._id} className="px-4 py-3 sm:px-6">
          <ApprovalCard approval={approval} isInConversation />
        </li>
      ))}
    </ul>
  )
}
