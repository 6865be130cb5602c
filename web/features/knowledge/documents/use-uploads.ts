// The upload queues of all spaces. They outlive the page, so that going elsewhere in the product does not stop an upload.
import { useSyncExternalStore } from 'react'
import type { Id } from '#shared/ids.ts'
import { fileSender } from './send-file.ts'
import { DOCUMENT_UPLOADS, type UploadKind } from './upload.rules.ts'
import { type Upload, UploadQueue } from './upload-queue.ts'

type SpaceId = Id<'knowledgeSpaces'>

/** An upload with the queue in which it is, and where that sends to. */
export type QueuedUpload = { upload: Upload; queue: UploadQueue; knowledgeSpaceId: SpaceId; kind: UploadKind }

const destinations = new Map<string, Omit<QueuedUpload, 'upload'>>()
const listeners = new Set<() => void>()
let all: readonly QueuedUpload[] = []
let sent: ReadonlySet<string> = new Set()

/** Uploads of one kind to one space, of documents by default, and what can be done with them. */
export function useUploads(
  knowledgeSpaceId: SpaceId,
  kind = DOCUMENT_UPLOADS,
): {
  uploads: readonly Upload[]
  queue: UploadQueue
} {
  const queue = queueOf(knowledgeSpaceId, kind)
  return { uploads: useSyncExternalStore(queue.subscribe, queue.snapshot), queue }
}

/** Uploads of all kinds to all spaces. */
export function useAllUploads(): readonly QueuedUpload[] {
  return useSyncExternalStore(subscribeToAll, allUploads)
}

/** Ids of the documents and tables that this page has sent; another set after every change. */
export function useSent(): ReadonlySet<string> {
  return useSyncExternalStore(subscribeToAll, () => sent)
}

/** What is in all queues; another array after every change. */
export function allUploads(): readonly QueuedUpload[] {
  return all
}

/** Calls after every change of any queue. */
export function subscribeToAll(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The queue of one kind and space, the same at every call. */
export function queueOf(knowledgeSpaceId: SpaceId, kind: UploadKind): UploadQueue {
  const key = `${kind.route} ${knowledgeSpaceId}`
  const known = destinations.get(key)
  if (known) return known.queue
  const sendFile = fileSender(kind.route, knowledgeSpaceId)
  const queue = new UploadQueue(async (...file) => rememberSent(await sendFile(...file)), kind)
  destinations.set(key, { queue, knowledgeSpaceId, kind })
  queue.subscribe(changed)
  return queue
}

/** Before the file leaves its queue, whose change tells everybody who listens. */
function rememberSent(id: string | null): void {
  if (id) sent = new Set([...sent, id])
}

function changed(): void {
  all = [...destinations.values()].flatMap((each) => each.queue.snapshot().map((upload) => ({ ...each, upload })))
  for (const listener of listeners) listener()
}
