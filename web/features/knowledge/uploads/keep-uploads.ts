// Keeps the files of the upload queues until they are sent, and puts them back into the queues after a reload.
import type { Id } from '#shared/ids.ts'
import type { UploadKind } from '../documents/upload.rules.ts'
import type { Upload } from '../documents/upload-queue.ts'
import type { KeptUpload, UploadMemory } from './upload-memory.ts'

/** An upload, and where it goes. */
export type KeepableUpload = {
  upload: Pick<Upload, 'key' | 'file' | 'state' | 'replaces'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  kind: Pick<UploadKind, 'route'>
}
export type Keeper = {
  /** Of this tab and its organization. */
  owner: Pick<KeptUpload, 'tab' | 'organizationId'>
  memory: UploadMemory
  uploads: () => readonly KeepableUpload[]
  subscribe: (listener: () => void) => () => void
  /** Puts a file back into its queue. */
  restore: (kept: KeptUpload) => void
}

/** Files that nobody has come back for. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** First restores, then keeps what comes and forgets what is over. @returns how to end it */
export async function keepUploads({ owner, memory, uploads, subscribe, restore }: Keeper): Promise<() => void> {
  /** Of each upload whether it was answered, and how. */
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
    for (const task of tasks) task.catch(() => undefined) // no room: the upload itself goes on
  }
  follow()
  return subscribe(follow)
}
