// Files waiting to be sent, stored in the browser so that a reload of the page does not lose them.
import type { Id } from '#shared/ids.ts'
import type { NamedDocument, UploadKind } from '../documents/upload.rules.ts'

export type KeptUpload = {
  /** Key of the upload. */
  key: string
  /** The tab that sends it: other open tabs do not. */
  tab: string
  organizationId: Id<'organizations'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  route: UploadKind['route']
  file: File
  /** As in the upload. Files stored by an earlier version have neither: they become documents of their own. */
  replaces?: NamedDocument | null
  isAnswered?: boolean
  keptAt: number
}

/** Storage for files. Any method may fail when the browser has no space: uploads then work, and a reload loses them. */
export interface UploadMemory {
  keep(upload: KeptUpload): Promise<void>
  forget(keys: string[]): Promise<void>
  list(): Promise<KeptUpload[]>
}

const NAME = 'parley-uploads'
const STORE = 'files'

/** In IndexedDB. */
export function browserMemory(): UploadMemory {
  const within = async <Result>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<Result>) => {
    const database = await opened()
    try {
      return await answered(run(database.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      database.close()
    }
  }
  return {
    keep: async (upload) => void (await within('readwrite', (store) => store.put(upload))),
    async forget(keys) {
      for (const key of keys) await within('readwrite', (store) => store.delete(key))
    },
    list: () => within('readonly', (store): IDBRequest<KeptUpload[]> => store.getAll()),
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' })
  return answered(request)
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
