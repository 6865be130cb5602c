// Uploads on behalf of an organization: routes take them, not functions, so the entry in the trail is written here.
import { insertAuditEntry } from '#server/platform/audit/audit.store.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/functions/caller.ts'

/** Routes that take files of an organization. Those of pictures leave entries of their own. */
const UPLOADS = /^\/api\/files\/(?:documents|tables|uploads)$/

/** Adds an entry to the trail of the organization before the file is taken, so that no file is there without one. A refused file has one too. */
export async function recordUpload(database: Database, caller: Caller, request: Request): Promise<void> {
  const { support, organizationId, userId, name, email } = caller
  const { pathname } = new URL(request.url)
  if (!support?.mayWrite || !organizationId || request.method !== 'POST' || !UPLOADS.test(pathname)) return
  await database.organization(organizationId, (db) =>
    insertAuditEntry(
      { db },
      {
        ...{ actor: { userId, name, email }, action: `POST ${pathname}`, reason: support.reason },
        ...{ organizationId, address: null, at: new Date() },
      },
    ),
  )
}
