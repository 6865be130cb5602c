// Merging and separating conversations, reported in a toast with an undo action.
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

/** `error`: why some, or all, were left unchanged; null when none were. */
type TakenBack = { isDone: boolean; error: ErrorCode | null }

/** Both reject when nothing was done, after the error has been shown. */
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
          () => undefined, // reported in a toast
        )
      toast.success(words, {
        durationMs: BULK_UNDO_MS,
        action: { label: t(($) => $.bulk.undo), onClick: () => void undo() },
      })
    },
    [t],
  )
  return {
    /** @returns those that were left out, with the reason */
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

/** `isDone` is false when another user has separated them, or merged them further. */
function separated({ conversationIds }: { conversationIds: Id<'conversations'>[] }): TakenBack {
  const isDone = conversationIds.length > 0
  return { isDone, error: isDone ? null : 'conversation_changed' }
}
