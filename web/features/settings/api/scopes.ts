// Scopes of tokens by the keys of their words.
import type { ApiScope } from '#shared/organizations/policy.ts'

const KEYS = {
  'knowledge.read': 'knowledgeRead',
  'knowledge.write': 'knowledgeWrite',
  'agents.read': 'agentsRead',
  'agents.write': 'agentsWrite',
  'conversations.read': 'conversationsRead',
  'conversations.write': 'conversationsWrite',
} as const satisfies Record<ApiScope, string>

/** The key of a scope's words. */
export function scopeKey(scope: ApiScope): (typeof KEYS)[ApiScope] {
  return KEYS[scope]
}
