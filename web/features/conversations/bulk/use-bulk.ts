// Changes of one or many conversations: run in portions, reported in a toast with an undo action.
import { useCallback } from 'react'
import type { Id } from '#shared/ids.ts'
import { BULK_UNDO_MS } from '#shared/limits.ts'
import type { Bulk, ConversationFolder, ConversationStatus, TakenBack } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { describeCode } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { showChange, withAssignee, withFolder, withStatus, withTag } from '../reply/optimistic-updates.ts'
import { useRefusalToast, useRetryable } from '../use-retryable.ts'
import { failuresOf, portionsOf, type Ticketed, ticketsOf } from './bulk.rules.ts'
import { type BulkFailure, type BulkList, type BulkRun, runBulk, setBulkOutcome, useBulkWork } from './bulk-work.ts'

type ConversationId = Id<'conversations'>
type Step = (portion: ConversationId[]) => Promise<Bulk<Ticketed>>

/**
 * Optimistic: reverted when the server refuses. Cancelling stops before the next portion; finished portions stay.
 *
 * @param list the list of a bulk change: its progress and failures are then shown above every page; without it a toast reports the
 *   failures and offers a retry
 */
export function useBulk(list?: BulkList) {
  const { progress } = useBulkWork()
  const tellUpdated = useTellUpdated()
  const showRefusal = useRefusalToast()
  const takeBack = useMutation(api.conversations.bulk.undo, { hasToast: false })

  const run = useCallback(
    async function run(ids: ConversationId[], change: Step): Promise<void> {
      const results: Bulk<Ticketed> = []
      let done = 0 // counts `ids` only: conversations merged with them were changed too
      const work = async (bulk?: BulkRun) => {
        for (const portion of portionsOf(ids)) {
          if (bulk && !bulk.isWanted()) break
          bulk?.tellProgress({ done, total: ids.length })
          results.push(...(await change(portion)))
          done += portion.length
        }
      }
      // Portions before the failed one are done, and can still be undone.
      const retry = () => void run(ids.slice(done), change)
      await (list ? runBulk(work) : work()).catch((error: unknown) => showRefusal(error, retry))
      const failures = failuresOf(results)
      const [first] = failures
      const updated = results.length - failures.length
      if (first && list) setBulkOutcome({ ...list, updated, failures })
      else if (first) {
        const failed = failures.map(({ conversationId }) => conversationId)
        showRefusal(new Refusal(first.error), () => void run(failed, change))
      }
      if (updated === 0) return
      const portions = portionsOf(ticketsOf(results))
      const taken: Bulk<TakenBack> = [] // a retry continues after these
      tellUpdated(updated, async () => {
        while (portions[0]) {
          taken.push(...(await takeBack({ tickets: portions[0].flat() })))
          portions.shift()
        }
        const left = failuresOf(taken)
        if (left.length > 0 && list) setBulkOutcome({ ...list, updated: taken.length - left.length, failures: left })
        return taken
      })
    },
    [list, tellUpdated, showRefusal, takeBack],
  )
  /** Reports the failures of a change that was made elsewhere. */
  const tellFailures = (updated: number, failures: BulkFailure[]) => {
    if (failures.length > 0 && list) setBulkOutcome({ ...list, updated, failures })
  }
  return { ...useChanges(run), isRunning: progress !== null, tellFailures }
}

/** Reports how many were changed, with an undo action; `back` resolves with the result for each changed conversation. */
function useTellUpdated(): (updated: number, back: () => Promise<Bulk<TakenBack>>) => void {
  const { t } = useTranslation('conversations')
  const attempt = useRetryable()
  return useCallback(
    (updated, back) => {
      const undo = async () => {
        const taken = await back()
        const [left] = failuresOf(taken)
        const asked = taken.filter(({ error, before }) => !error && before?.wasAsked).length
        const description =
          asked > 0 ? t(($) => $.bulk.asked, { count: asked, number: formatNumber(asked) }) : undefined
        if (!left || taken.some(({ error }) => error === null))
          toast.success(
            t(($) => $.bulk.undone),
            description ? { description } : {},
          )
        if (left) toast.error(describeCode(left.error))
      }
      toast.success(
        t(($) => $.bulk.updated, { count: updated, number: formatNumber(updated) }),
        {
          durationMs: BULK_UNDO_MS,
          action: { label: t(($) => $.bulk.undo), onClick: () => void attempt(undo) },
        },
      )
    },
    [t, attempt],
  )
}

/** Each takes conversation ids and the new value. */
function useChanges(run: (ids: ConversationId[], change: Step) => Promise<void>) {
  const { bulk } = api.conversations
  const setFolder = useMutation(bulk.place, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withFolder(args.folder)),
  })
  const setStatus = useMutation(bulk.status, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withStatus(args.status, args.resumeAfterMs)),
  })
  const setAssignee = useMutation(bulk.assign, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withAssignee(store, args.assigneeId)),
  })
  const setTag = useMutation(bulk.tag, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withTag(args.tag, args.isOn)),
  })
  return {
    move: (ids: ConversationId[], folder: ConversationFolder) =>
      run(ids, (conversationIds) => setFolder({ conversationIds, folder })),
    changeStatus: (ids: ConversationId[], status: ConversationStatus) =>
      run(ids, (conversationIds) => setStatus({ conversationIds, status })),
    assign: (ids: ConversationId[], assigneeId: Id<'users'> | null) =>
      run(ids, (conversationIds) => setAssignee({ conversationIds, assigneeId })),
    tag: (ids: ConversationId[], tag: string, isOn: boolean) =>
      run(ids, (conversationIds) => setTag({ conversationIds, tag, isOn })),
  }
}
