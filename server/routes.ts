// The HTTP routes of every room.
import path from 'node:path'
import type { Context } from 'hono'
import { avatarRoutes } from './domain/agents/avatars.http.ts'
import { apiRoutes } from './domain/api-tokens/api.http.ts'
import { brandPictureRoutes } from './domain/branding/pictures.http.ts'
import { widgetRoutes } from './domain/channels/webchat/widget.http.ts'
import { calendarRoutes } from './domain/integrations/calendar/callback.http.ts'
import { documentRoutes } from './domain/knowledge/documents/documents.http.ts'
import { originalRoutes } from './domain/knowledge/documents/files/originals.http.ts'
import { tableRoutes } from './domain/knowledge/tables/tables.http.ts'
import { letterRoutes } from './domain/letters/letters.http.ts'
import { mcpRoutes } from './domain/mcp/mcp.http.ts'
import { mcpServerRoutes } from './domain/mcp-servers/callback.http.ts'
import { exportRoutes } from './domain/messaging/compliance/exports.http.ts'
import { customerRoutes } from './domain/messaging/contacts/customers.http.ts'
import { attachmentRoutes } from './domain/messaging/files/attachments.http.ts'
import { sentFileRoutes } from './domain/messaging/files/sent-files.http.ts'
import { uploadRoutes } from './domain/messaging/files/uploads.http.ts'
import { pictureRoutes } from './domain/organizations/pictures.http.ts'
import type { Services } from './functions/services.ts'
import type { Caller } from './platform/functions/caller.ts'
import type { ProgramCalls } from './platform/functions/program-calls.ts'
import type { Bindings } from './platform/lib/http/http-listener.ts'
import { loadStaticFiles } from './platform/lib/http/static-files.ts'
import type { Logger } from './platform/lib/logger.ts'

const WIDGET_FOLDER = path.resolve(import.meta.dirname, '../dist/widget')

type Surroundings = {
  /** Who sends a request, with their current rights; null when anonymous. */
  callerOf: (request: Request) => Promise<Caller | null>
  addressOf: (c: Context<{ Bindings: Bindings }>) => string
  callAs: ProgramCalls
  showsLetters: boolean
  log: Logger
}

/** Those of every room, in any order: their paths are disjoint. */
export async function createRoutes(
  services: Services,
  { callerOf, addressOf, callAs, showsLetters, log }: Surroundings,
) {
  return [
    documentRoutes(services, callerOf),
    tableRoutes(services, callerOf),
    originalRoutes(services, callerOf),
    sentFileRoutes(services),
    attachmentRoutes(services, callerOf),
    customerRoutes(services, callerOf),
    exportRoutes(services, callerOf),
    uploadRoutes(services, callerOf),
    avatarRoutes(services),
    pictureRoutes(services, callerOf),
    brandPictureRoutes(services, { callerOf, addressOf }),
    widgetRoutes(services, await loadStaticFiles(WIDGET_FOLDER)),
    apiRoutes(services),
    mcpRoutes(services, { callAs, addressOf }),
    letterRoutes(services, showsLetters),
    calendarRoutes(services, { callerOf, addressOf, log }),
    mcpServerRoutes(services, { callerOf, addressOf, log }),
  ]
}
