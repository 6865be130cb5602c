// Ties the upload queues to the browser's memory, once for the page.
import { useEffect } from 'react'
import type { Id } from '#shared/ids.ts'
import { randomKey } from '#web/lib/server/random-key.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { DOCUMENT_UPLOADS, TABLE_UPLOADS } from '../documents/upload.rules.ts'
import { allUploads, queueOf, subscribeToAll } from '../documents/use-uploads.ts'
import { keepUploads } from './keep-uploads.ts'
import { browserMemory } from './upload-memory.ts'

const TAB_KEY = 'parley-tab'
const KINDS = [DOCUMENT_UPLOADS, TABLE_UPLOADS]

/** One for the page, however often the tray is mounted: a file must not be put back twice. */
let running: { organizationId: string; ended: Promise<(() => void) | undefined> } | null = null

/** Files that a reload has interrupted go on; what is sent from now on would go on likewise. */
export function useKeptUploads(): void {
  const organizationId = useOrganization()._id
  useEffect(() => {
    if (running?.organizationId === organizationId) return
    void running?.ended.then((end) => end?.())
    running = { organizationId, ended: start(organizationId) }
  }, [organizationId])
}

function start(organizationId: Id<'organizations'>): Promise<(() => void) | undefined> {
  return keepUploads({
    owner: { tab: tabId(), organizationId },
    memory: browserMemory(),
    uploads: allUploads,
    subscribe: subscribeToAll,
    restore({ key, knowledgeSpaceId, route, file, replaces = null, isAnswered = true }) {
      const kind = KINDS.find((each) => each.route === route)
      if (kind) queueOf(knowledgeSpaceId, kind).addAgain({ file, key, replaces, isAnswered })
    },
  }).catch(() => undefined) // a browser that keeps nothing: uploads work, and a reload loses them
}

/** Survives a reload, and is another one in every tab. */
function tabId(): string {
  const known = sessionStorage.getItem(TAB_KEY)
  if (known) return known
  const id = randomKey()
  sessionStorage.setItem(TAB_KEY, id)
  return id
}
