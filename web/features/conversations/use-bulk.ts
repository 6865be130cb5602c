// Changes of one or many conversations: carried out in portions, told in a toast, and taken back from it.
import { useCallback, useRef, useState } from 'react'
import type { Bulk, ConversationPlace, ConversationStatus, StatusBefore } from '#shared/conversations.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { BULK_UNDO_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { useMutation } from '#web/lib/convex.ts'
import { describeCode } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { failuresOf, groupsBefore, portionsOf, ticketsOf } from './bulk.rules.ts'

type ConversationId = Id<'conversations'>
type Failure = { conversationId: ConversationId; error: ErrorCode }
/** What is under way, and how much of it is done. */
export type BulkProgress = { done: number; total: number }

/** `failures`: of the last change, until they are put away. Cancelling stops before the next portion; what is changed stays so. */
export function useBulk() {
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const [outcome, setOutcome] = useState<{ updated: number; failures: Failure[] } | null>(null)
  const isCancelled = useRef(false)
  const { t } = useTranslation('conversations')

  const run = useCallback(
    async <Before>(
      ids: ConversationId[],
      change: (portion: ConversationId[]) => Promise<Bulk<Before>>,
      back: (results: Bulk<Before>) => Promise<Failure[]>,
    ): Promise<void> => {
      isCancelled.current = false
      const results: Bulk<Before> = []
      try {
        for (const portion of portionsOf(ids)) {
          if (isCancelled.current) break
          setProgress({ done: results.length, total: ids.length })
          results.push(...(await change(portion)))
        }
      } catch {
        // The toast has told; what was changed before can still be taken back.
      }
      setProgress(null)
      const failures = failuresOf(results)
      const updated = results.length - failures.length
      if (failures.length > 0) setOutcome({ updated, failures })
      if (updated === 0) return
      const undo = async () => {
        const left = await back(results)
        const undone = updated - left.length
        if (undone > 0) toast.success(t(($) => $.bulk.undone))
        else toast.error(describeCode('conversation_changed'))
        if (left.length > 0) setOutcome({ updated: undone, failures: left })
      }
      toast.success(
        t(($) => $.bulk.updated, { count: updated, number: formatNumber(updated) }),
        {
          durationMs: BULK_UNDO_MS,
          action: { label: t(($) => $.bulk.undo), onClick: () => void undo().catch(() => undefined) }, // the toast has told
        },
      )
    },
    [t],
  )
  const cancel = useCallback(() => {
    isCancelled.current = true
  }, [])
  /** What became of a change that was carried out elsewhere. */
  const tellFailures = (updated: number, failures: Failure[]) => {
    if (failures.length > 0) setOutcome({ updated, failures })
  }
  return { ...useChanges(run), progress, cancel, outcome, tellFailures, closeOutcome: () => setOutcome(null) }
}

type Run = <Before>(
  ids: ConversationId[],
  change: (portion: ConversationId[]) => Promise<Bulk<Before>>,
  /** Takes it back. @returns what was left as it is, with why */
  back: (results: Bulk<Before>) => Promise<Failure[]>,
) => Promise<void>

/** Makes each what it was. */
function inGroups<Before>(back: (ids: ConversationId[], before: Before) => Promise<Bulk<unknown>>) {
  return async (results: Bulk<Before>): Promise<Failure[]> => {
    const left: Failure[] = []
    for (const { ids, before } of groupsBefore(results)) {
      for (const portion of portionsOf(ids)) left.push(...failuresOf(await back(portion, before)))
    }
    return left
  }
}

/** Each takes conversations and what they are to become. */
function useChanges(run: Run) {
  const setPlace = useMutation(api.conversations.bulk.place)
  const setStatus = useMutation(api.conversations.bulk.status)
  const undoStatus = useMutation(api.conversations.bulk.undoStatus)
  const setAssignee = useMutation(api.conversations.bulk.assign)
  const setTag = useMutation(api.conversations.bulk.tag)
  return {
    move: (ids: ConversationId[], place: ConversationPlace) => {
      const back = (conversationIds: ConversationId[], before: ConversationPlace) =>
        setPlace({ conversationIds, place: before, isExact: true })
      return run<ConversationPlace>(ids, (conversationIds) => setPlace({ conversationIds, place }), inGroups(back))
    },
    changeStatus: (ids: ConversationId[], status: ConversationStatus) => {
      const back = async (results: Bulk<StatusBefore>) => {
        const left: Failure[] = []
        for (const tickets of portionsOf(ticketsOf(results))) left.push(...failuresOf(await undoStatus({ tickets })))
        return left
      }
      return run<StatusBefore>(ids, (conversationIds) => setStatus({ conversationIds, status }), back)
    },
    assign: (ids: ConversationId[], assigneeId: Id<'users'> | null) => {
      const back = (conversationIds: ConversationId[], before: Id<'users'> | null) =>
        setAssignee({ conversationIds, assigneeId: before, isExact: true })
      return run<Id<'users'> | null>(
        ids,
        (conversationIds) => setAssignee({ conversationIds, assigneeId }),
        inGroups(back),
      )
    },
    tag: (ids: ConversationId[], tag: string, isOn: boolean) => {
      const back = (conversationIds: ConversationId[], before: boolean) =>
        setTag({ conversationIds, tag, isOn: before, isExact: true })
      return run<boolean>(ids, (conversationIds) => setTag({ conversationIds, tag, isOn }), inGroups(back))
    },
  }
}
