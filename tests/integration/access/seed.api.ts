// What programs use and leave behind: a token, and what was asked by it.
import { newId } from '#server/platform/lib/ids.ts'
import type { Ids, Insert, Text } from './seed.ts'

/** One of each. */
export async function seedApi(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, userId: created_by, apiTokenId: id } = ids
  const token = { id, organization_id, name: text('token name'), token_hash: newId(), token_tail: text('tail') }
  await insert('api_tokens', { ...token, created_by, last_used_at: null, window_started_at: null })
  const answer = JSON.stringify({ body: { name: text('answer') } })
  await insert('api_requests', { organization_id, key: text('key'), fingerprint: text('print'), status: 200, answer })
}
