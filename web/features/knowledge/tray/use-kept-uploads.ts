// Ties the upload queues to the browser's memory, once for the page.
import { useEffect } from 'react'
import { useOrganization } from '#web/lib/current-user.tsx'
import { DOCUMENT_UPLOADS, TABLE_UPLOADS } from '../documents/upload.rules.ts'
import { allUploads, queueOf, subscribeToAll } from '../documents/use-uploads.ts'
import { keepUploads } from './keep-uploads.ts'
import { browserMemory } from './upload-memory.ts'

const TAB_KEY = 'parley-tab'
const KINDS = [DOCUMENT_UPLOADS, TABLE_UPLOADS]

/** Files that a reload has interrupted go on; what is sent from now on would go on likewise. */
export function useKeptUploads(): void {
  const organizationId = useOrganization()._id
  useEffect(() => {
    const kept = keepUploads({
      owner: { tab: tabId(), organizationId },
      memory: browserMemory(),
      uploads: allUploads,
      subscribe: subscribeToAll,
      restore({ knowledgeSpaceId, route, file }) {
        const kind = KINDS.find((each) => each.route === route)
        if (kind) queueOf(knowledgeSpaceId, kind).add([file])
      },
    })
    kept.catch(() => undefined) // a browser that keeps nothing: uploads work, and a reload loses them
    return () => void kept.then((end) => end()).catch(() => undefined)
  }, [organizationId])
}

/** Survives a reload, and is another one in every tab. */
function tabId(): string {
  const known = sessionStorage.getItem(TAB_KEY)
  if (known) return known
  const id = crypto.randomUUID()
  sessionStorage.setItem(TAB_KEY, id)
  return id
}
