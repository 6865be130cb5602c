// Stores the files of the upload queues until they are sent, and restores them to the queues after a reload.
import type { Id } from '#shared/ids.ts'
import type { UploadKind } from '../documents/upload.rules.ts'
import type { Upload } from '../documents/upload-queue.ts'
import type { KeptUpload, UploadMemory } from './upload-memory.ts'

/** An upload and its destination. */
export type KeepableUpload = {
  upload: Pick<Upload, 'key' | 'file' | 'state' | 'replaces'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  kind: Pick<UploadKind, 'route'>
}
export type Keeper = {
  /** This tab and its organization. */
  owner: Pick<KeptUpload, 'tab' | 'organizationId'>
  memory: UploadMemory
  uploads: () => readonly KeepableUpload[]
  subscribe: (listener: () => void) => () => void
  /** Returns a file to its queue. */
  restore: (kept: KeptUpload) => void
}

/** Age at which abandoned files are deleted. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** Restores first, then stores new uploads and deletes finished ones. @returns a function that stops it */
export async function keepUploads({ owner, memory, uploads, subscribe, restore }: Keeper): Promise<() => void> {
  /** The answer of each stored upload, by key. */
  const known = new Map<string, string>()
  const now = Date.now()
  const kept = await memory.list()
  const isOwn = ({ tab, organizationId }: KeptUpload) => tab === owner.tab && organizationId === owner.organizationId
  const gone = kept.filter(({ tab, keptAt }) => tab === owner.tab || now - keptAt > FORGOTTEN_AFTER_MS)
  await memory.forget(gone.map(({ key }) => key))
  for (const each of kept.filter(isOwn)) restore(each)
  const follow = () => {
    const present = uploads().filter(({ upload }) => upload.state !== 'failed')
    const keys = new Set(present.map(({ upload }) => upload.key))
    const over = [...known.keys()].filter((key) => !keys.has(key))
    for (const key of over) known.delete(key)
    const tasks = over.length > 0 ? [memory.forget(over)] : []
    for (const { upload, knowledgeSpaceId, kind } of present) {
      const { key, file, state } = upload
      const isAnswered = state !== 'checking' && state !== 'asking'
      const replaces = isAnswered ? upload.replaces : null
      const answer = `${isAnswered} ${replaces?.documentId}`
      if (known.get(key) === answer) continue
      known.set(key, answer)
      const where = { knowledgeSpaceId, route: kind.route }
      tasks.push(memory.keep({ ...owner, ...where, key, file, replaces, isAnswered, keptAt: Date.now() }))
    }
    for (const task of tasks) task.catch(() => undefined) // out of storage: the upload itself continues
  }
  follow()
  return subscribe(follow)
}
