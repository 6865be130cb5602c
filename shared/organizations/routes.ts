// What each HTTP route asks of who calls. A route without a line fails the tests.
import type { ApiScope, Permission } from './policy.ts'

/**
 * What a route asks for. `admin`: an administrator of the installation. `anyone`: it needs no account, and what else it asks for stands in the route (a signature, a ticket, a visitor's
 * session). `functions`: it calls functions, each with its own need.
 */
export type RouteNeed = Permission | `scope:${ApiScope}` | 'account' | 'admin' | 'anyone' | 'functions'

/** Every HTTP route, without the patterns of its parts. Those of the HTTP API ask for a scope of the token. */
export const ROUTES = {
  'GET /livez': 'anyone',
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'anyone',
  'GET /*': 'anyone',
  'GET /api/health': 'anyone',
  'GET /api/config': 'anyone',
  'ALL /api/auth/*': 'anyone',
  'ALL /api/query': 'functions',
  'ALL /api/query_at_ts': 'functions',
  'ALL /api/mutation': 'functions',
  'ALL /api/action': 'functions',
  'ALL /api/function': 'functions',
  'ALL /api/query_ts': 'anyone',
  'ALL /api/debug_event': 'anyone',
  'GET /webhooks/:channel/:path': 'anyone',
  'POST /webhooks/:channel/:path': 'anyone',
  'POST /api/channels/http/:connectionId/messages': 'anyone',
  'POST /api/webchat/:key/session': 'anyone',
  'GET /api/webchat/:key/chat': 'anyone',
  'POST /api/webchat/:key/messages': 'anyone',
  'POST /api/webchat/:key/person': 'anyone',
  'POST /api/webchat/:key/files': 'anyone',
  'GET /api/webchat/:key/files/:id': 'anyone',
  'GET /api/webchat/:key/face': 'anyone',
  'POST /api/webchat/:key/rating': 'anyone',
  'POST /api/webchat/:key/probe': 'anyone',
  'POST /api/webchat/:key/typing': 'anyone',
  'POST /api/shared-chats': 'anyone',
  'GET /api/files/sent/:ticket/:name': 'anyone',
  'GET /api/integrations/google/callback': 'anyone',
  'GET /files/avatars/:name': 'anyone',
  'GET /files/brands/:name': 'anyone',
  'GET /manifest.webmanifest': 'anyone',
  'GET /widget.js': 'anyone',
  'GET /widget/:key': 'anyone',
  'GET /talk/:key': 'anyone',
  'GET /widget-files/*': 'anyone',
  'GET /api/files/sources/:id': 'read',
  'GET /api/files/attachments/:id': 'read',
  'GET /api/files/customers/:id': 'data.write',
  'GET /api/files/conversations/:id': 'data.write',
  'GET /api/files/exports/:id': 'data.write',
  'POST /api/files/documents': 'knowledge.write',
  'POST /api/files/tables': 'knowledge.write',
  'POST /api/files/uploads': 'files.send',
  'POST /api/files/pictures/person': 'account',
  'POST /api/files/pictures/organization': 'organization.write',
  'POST /api/files/brands/installation/:picture': 'admin',
  'POST /api/files/brands/organization/:picture': 'organization.write',
  'POST /mcp': 'functions',
  'ALL /mcp': 'anyone',
  'GET /api/v1/spaces': 'scope:knowledge.read',
  'GET /api/v1/spaces/:spaceId/documents': 'scope:knowledge.read',
  'POST /api/v1/spaces/:spaceId/documents': 'scope:knowledge.write',
  'GET /api/v1/documents/:documentId': 'scope:knowledge.read',
  'PUT /api/v1/documents/:documentId': 'scope:knowledge.write',
  'DELETE /api/v1/documents/:documentId': 'scope:knowledge.write',
  'GET /api/v1/spaces/:spaceId/notes': 'scope:knowledge.read',
  'POST /api/v1/spaces/:spaceId/notes': 'scope:knowledge.write',
  'GET /api/v1/notes/:noteId': 'scope:knowledge.read',
  'PUT /api/v1/notes/:noteId': 'scope:knowledge.write',
  'DELETE /api/v1/notes/:noteId': 'scope:knowledge.write',
  'GET /api/v1/spaces/:spaceId/tables': 'scope:knowledge.read',
  'GET /api/v1/tables/:tableId/rows': 'scope:knowledge.read',
  'POST /api/v1/tables/:tableId/rows': 'scope:knowledge.write',
  'PUT /api/v1/tables/:tableId/rows/:number': 'scope:knowledge.write',
  'DELETE /api/v1/tables/:tableId/rows/:number': 'scope:knowledge.write',
} as const satisfies Record<string, RouteNeed>

export type Route = keyof typeof ROUTES
/** Routes that members of an organization call. */
export type MemberRoute = { [R in Route]: (typeof ROUTES)[R] extends Permission ? R : never }[Route]
