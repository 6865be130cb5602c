// What is being written in a conversation, a reply or a note: its draft, and sending it, from which nothing that was typed is lost.
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import type { Id } from '#shared/ids.ts'
import { FAILURE_TOAST_MS } from '#shared/limits.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { type DraftChange, useLastingDraft } from '#web/lib/browser/draft.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'
import { useIsShown } from '../list/use-is-shown.ts'
import { keepSending, type Sending, settle, type WritingKind, whileHeld, writingKey } from './sending.ts'

type Writing = {
  draft: string
  setDraft: (change: DraftChange) => void
  /** Rejects when it was not sent. Where the box is gone then, a toast tells, and leads back to it. */
  send: (text: string, run: () => Promise<unknown>) => Promise<void>
}

/** Of conversations that are shown as one, the draft may have been begun in any. */
export function useWriting(kind: WritingKind, conversation: Conversation): Writing {
  const { _id: me } = useCurrentUser()
  const [draft, setDraft] = useLastingDraft(writingKeys(kind, me, conversation))
  const tell = useTellUnsent()
  const isShown = useIsShown()
  async function send(text: string, run: () => Promise<unknown>) {
    const key = keepSending(me, { kind, conversation, text })
    try {
      await whileHeld(key, run)
      settle(key)
    } catch (error) {
      const sending = settle(key)
      if (!sending) return // signed out: whose text this was is not known here any more
      if (!isShown.current) tell(sending, describeError(error).message)
      throw error
    }
  }
  return { draft, setDraft, send }
}

/** Under which a draft of a conversation may be kept; the first is for a new one. */
export function writingKeys(kind: WritingKind, me: Id<'users'>, conversation: Conversation): [string, ...string[]] {
  const others = conversation.thread?.parts.filter(({ _id }) => _id !== conversation._id) ?? []
  const keyOf = (conversationId: Id<'conversations'>) => writingKey(kind, me, conversationId)
  return [keyOf(conversation._id), ...others.map(({ _id }) => keyOf(_id))]
}

/** Says that something was not sent, why where that is known, and leads to its conversation, where it stands in the box again. */
export function useTellUnsent(): (sending: Sending, reason?: string) => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useCallback(
    ({ kind, conversationId, customerName, text }, reason) => {
      const name = customerName || t(($) => $.alerts.unnamed)
      toast.error(
        t(($) => $.unsent[kind], { name }),
        {
          id: `unsent-${kind}-${conversationId}`,
          description: [reason, text && t(($) => $.unsent.kept)].filter(Boolean).join(' '),
          durationMs: FAILURE_TOAST_MS,
          action: {
            label: t(($) => $.alerts.open),
            onClick: () => void navigate(paths.conversation(conversationId)),
          },
        },
      )
    },
    [t, navigate],
  )
}
