// The upload queues of a space. They outlive the page, so that going elsewhere in the product does not stop an upload.
import { useSyncExternalStore } from 'react'
import type { Id } from '#shared/ids.ts'
import { fileSender } from './send-file.ts'
import { DOCUMENT_UPLOADS, type UploadKind } from './upload.rules.ts'
import { type Upload, UploadQueue } from './upload-queue.ts'

const queues = new Map<string, UploadQueue>()

/** Uploads of one kind to one space, of documents by default, and what can be done with them. */
export function useUploads(
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  kind = DOCUMENT_UPLOADS,
): {
  uploads: readonly Upload[]
  queue: UploadQueue
} {
  const queue = queueOf(knowledgeSpaceId, kind)
  return { uploads: useSyncExternalStore(queue.subscribe, queue.snapshot), queue }
}

function queueOf(knowledgeSpaceId: Id<'knowledgeSpaces'>, kind: UploadKind): UploadQueue {
  const key = `${kind.route} ${knowledgeSpaceId}`
  const known = queues.get(key)
  if (known) return known
  const queue = new UploadQueue(fileSender(kind.route, knowledgeSpaceId), kind)
  queues.set(key, queue)
  return queue
}
