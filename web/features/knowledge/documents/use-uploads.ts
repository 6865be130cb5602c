// The upload queue of a space. It outlives the page, so that going elsewhere in the product does not stop an upload.
import { useSyncExternalStore } from 'react'
import type { Id } from '#shared/ids.ts'
import { documentSender } from './send-document.ts'
import { type Upload, UploadQueue } from './upload-queue.ts'

const queues = new Map<string, UploadQueue>()

/** Uploads of one space and what can be done with them. */
export function useUploads(knowledgeSpaceId: Id<'knowledgeSpaces'>): {
  uploads: readonly Upload[]
  queue: UploadQueue
} {
  const queue = queueOf(knowledgeSpaceId)
  return { uploads: useSyncExternalStore(queue.subscribe, queue.snapshot), queue }
}

function queueOf(knowledgeSpaceId: Id<'knowledgeSpaces'>): UploadQueue {
  const known = queues.get(knowledgeSpaceId)
  if (known) return known
  const queue = new UploadQueue(documentSender(knowledgeSpaceId))
  queues.set(knowledgeSpaceId, queue)
  return queue
}
