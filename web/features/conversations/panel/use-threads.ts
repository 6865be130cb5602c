// Showing conversations as one and separating them: carried out, told in a toast, and taken back from it.
import { useCallback } from 'react'
import type { ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { BULK_UNDO_MS } from '#shared/limits.ts'
import type { Merged, Refused } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { describeCode } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** `error`: why some, or all, were left as they are; null: none were. */
type TakenBack = { isDone: boolean; error: ErrorCode | null }

/** Both reject when nothing could be done, after the person was told. */
export function useThreads() {
  const { t } = useTranslation('conversations')
  const mergeThem = useMutation(api.conversations.threads.merge)
  const separateThem = useMutation(api.conversations.threads.separate)
  const tell = useCallback(
    (words: string, back: () => Promise<TakenBack>) => {
      const undo = () =>
        back().then(
          ({ isDone, error }) => {
            if (isDone) toast.success(t(($) => $.bulk.undone))
            if (error) toast.error(describeCode(error))
          },
          () => undefined, // the toast has told
        )
      toast.success(words, {
        durationMs: BULK_UNDO_MS,
        action: { label: t(($) => $.bulk.undo), onClick: () => void undo() },
      })
    },
    [t],
  )
  return {
    /** @returns those that were left out, with why */
    async merge(conversationIds: Id<'conversations'>[]): Promise<Refused[]> {
      const { threadId, count, refused }: Merged = await mergeThem({ conversationIds })
      tell(
        t(($) => $.thread.merged, { count }),
        async () => separated(await separateThem({ threadId })),
      )
      return refused
    },
    async separate(threadId: Id<'threads'>): Promise<void> {
      const { conversationIds } = await separateThem({ threadId })
      const { error } = separated({ conversationIds })
      if (error) {
        toast.error(describeCode(error))
        return
      }
      tell(
        t(($) => $.thread.separated),
        async () => {
          const { refused }: Merged = await mergeThem({ conversationIds })
          return { isDone: true, error: refused[0]?.error ?? null }
        },
      )
    },
  }
}

/** None are when somebody else has separated them, or merged them further. */
function separated({ conversationIds }: { conversationIds: Id<'conversations'>[] }): TakenBack {
  const isDone = conversationIds.length > 0
  return { isDone, error: isDone ? null : 'conversation_changed' }
}
