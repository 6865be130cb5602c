// The upload queues of all spaces. They outlive the page, so that going elsewhere in the product does not stop an upload.
import { useSyncExternalStore } from 'react'
import type { Id } from '#shared/ids.ts'
import { FIND_NAMED_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { fetchOnce } from '#web/lib/server/convex.ts'
import { fileSender } from './send-file.ts'
import { DOCUMENT_UPLOADS, type NamedDocument, type UploadKind } from './upload.rules.ts'
import { type FindNamed, type SendFile, type Upload, UploadQueue } from './upload-queue.ts'

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
  const send: SendFile = async (upload, ...rest) => {
    const id = await sendFile(upload, ...rest)
    // A document that was there has been ready before: that is no news of its new version.
    if (!upload.replaces) rememberSent(id)
  }
  const queue = new UploadQueue(send, kind, kind === DOCUMENT_UPLOADS ? namedIn(knowledgeSpaceId) : null)
  destinations.set(key, { queue, knowledgeSpaceId, kind })
  queue.subscribe(changed)
  return queue
}

/** Asks the server, some names at a time. */
function namedIn(knowledgeSpaceId: SpaceId): FindNamed {
  return async (names) => {
    const found = new Map<string, NamedDocument>()
    for (let at = 0; at < names.length; at += FIND_NAMED_MAX) {
      const some = names.slice(at, at + FIND_NAMED_MAX)
      const documents = await fetchOnce(api.knowledge.documents.findNamed, { knowledgeSpaceId, names: some })
      some.forEach((name, index) => {
        const document = documents[index]
        if (document) found.set(name, { documentId: document._id, name: document.name })
      })
    }
    return found
  }
}

/** Before the file leaves its queue, whose change tells everybody who listens. */
function rememberSent(id: string | null): void {
  if (id) sent = new Set([...sent, id])
}

function changed(): void {
  all = [...destinations.values()].flatMap((each) => each.queue.snapshot().map((upload) => ({ ...each, upload })))
  for (const listener of listeners) listener()
}
