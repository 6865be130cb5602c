// Changes of one or many conversations: carried out in portions, told in a toast, and taken back from it.
import { useCallback } from 'react'
import type {
  Bulk,
  ConversationPlace,
  ConversationStatus,
  StatusBefore,
  StatusTakenBack,
} from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { BULK_UNDO_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { useMutation } from '#web/lib/convex.ts'
import { describeCode } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { failuresOf, groupsBefore, portionsOf, ticketsOf } from './bulk.rules.ts'
import { type BulkFailure, type BulkList, type BulkRun, runBulk, setBulkOutcome, useBulkWork } from './bulk-work.ts'
import { showChange, withAssignee, withPlace, withStatus, withTag } from './shown-at-once.ts'
import { useAttempt, useTellRefusal } from './use-attempt.ts'

type ConversationId = Id<'conversations'>
type Step<Before> = (portion: ConversationId[]) => Promise<Bulk<Before>>
/** `left`: what was left as it is, with why. `asked`: how many customers were asked for a rating meanwhile, which stays so. */
type TakenBack = { left: BulkFailure[]; asked: number }
/** Takes a step back. */
type Back<Before> = (results: Bulk<Before>) => Promise<TakenBack>

/**
 * Shown at once, and not any more where the server refuses. Cancelling stops before the next portion; what is changed stays so.
 *
 * @param list from which many are changed: how far that is, and what has failed, is shown over every page; without one a toast tells what
 *   has failed and tries it again
 */
export function useBulk(list?: BulkList) {
  const { progress } = useBulkWork()
  const tellUpdated = useTellUpdated()
  const tellRefusal = useTellRefusal()

  const run = useCallback(
    async function run<Before>(ids: ConversationId[], change: Step<Before>, back: Back<Before>): Promise<void> {
      const results: Bulk<Before> = []
      let done = 0 // of these: what is shown as one with them was changed too
      const work = async (bulk?: BulkRun) => {
        for (const portion of portionsOf(ids)) {
          if (bulk && !bulk.isWanted()) break
          bulk?.tellProgress({ done, total: ids.length })
          results.push(...(await change(portion)))
          done += portion.length
        }
      }
      // Portions before one that fails are done, and can still be taken back.
      const retry = () => void run(ids.slice(done), change, back)
      await (list ? runBulk(work) : work()).catch((error: unknown) => tellRefusal(error, retry))
      const failures = failuresOf(results)
      const [first] = failures
      const updated = results.length - failures.length
      if (first && list) setBulkOutcome({ ...list, updated, failures })
      else if (first) {
        const failed = failures.map(({ conversationId }) => conversationId)
        tellRefusal(new AppError(first.error), () => void run(failed, change, back))
      }
      if (updated === 0) return
      tellUpdated(updated, async () => {
        const { left, asked } = await back(results)
        if (left.length > 0 && list) setBulkOutcome({ ...list, updated: updated - left.length, failures: left })
        return { left: left.length, asked }
      })
    },
    [list, tellUpdated, tellRefusal],
  )
  /** What became of a change that was carried out elsewhere. */
  const tellFailures = (updated: number, failures: BulkFailure[]) => {
    if (failures.length > 0 && list) setBulkOutcome({ ...list, updated, failures })
  }
  return { ...useChanges(run), isRunning: progress !== null, tellFailures }
}

/** Says how many were changed, and takes it back from there; `back` answers how many it has left as they are, and how many were asked. */
function useTellUpdated(): (updated: number, back: () => Promise<{ left: number; asked: number }>) => void {
  const { t } = useTranslation('conversations')
  const attempt = useAttempt()
  return useCallback(
    (updated, back) => {
      const undo = async () => {
        const { left, asked } = await back()
        const description =
          asked > 0 ? t(($) => $.bulk.asked, { count: asked, number: formatNumber(asked) }) : undefined
        if (left < updated)
          toast.success(
            t(($) => $.bulk.undone),
            description ? { description } : {},
          )
        if (left > 0) toast.error(describeCode('conversation_changed'))
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

/** Makes each what it was. */
function inGroups<Before>(back: (ids: ConversationId[], before: Before) => Promise<Bulk<unknown>>): Back<Before> {
  return async (results) => {
    const left: BulkFailure[] = []
    for (const { ids, before } of groupsBefore(results)) {
      for (const portion of portionsOf(ids)) left.push(...failuresOf(await back(portion, before)))
    }
    return { left, asked: 0 }
  }
}

type Run = <Before>(ids: ConversationId[], change: Step<Before>, back: Back<Before>) => Promise<void>

/** Each takes conversations and what they are to become. */
function useChanges(run: Run) {
  const { bulk } = api.conversations
  const setPlace = useMutation(bulk.place, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withPlace(args.place)),
  })
  const setStatus = useMutation(bulk.status, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withStatus(args.status, args.resumeAfterMs)),
  })
  const undoStatus = useMutation(bulk.undoStatus, { hasToast: false })
  const setAssignee = useMutation(bulk.assign, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withAssignee(store, args.assigneeId)),
  })
  const setTag = useMutation(bulk.tag, {
    hasToast: false,
    optimisticUpdate: (store, args) => showChange(store, args, withTag(args.tag, args.isOn)),
  })
  return {
    move: (ids: ConversationId[], place: ConversationPlace) => {
      const back = (conversationIds: ConversationId[], before: ConversationPlace) =>
        setPlace({ conversationIds, place: before, isExact: true })
      return run<ConversationPlace>(ids, (conversationIds) => setPlace({ conversationIds, place }), inGroups(back))
    },
    changeStatus: (ids: ConversationId[], status: ConversationStatus) => {
      const back = async (results: Bulk<StatusBefore>) => {
        const taken: Bulk<StatusTakenBack> = []
        for (const tickets of portionsOf(ticketsOf(results))) taken.push(...(await undoStatus({ tickets })))
        return {
          left: failuresOf(taken),
          asked: taken.filter(({ error, before }) => !error && before?.wasAsked).length,
        }
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
