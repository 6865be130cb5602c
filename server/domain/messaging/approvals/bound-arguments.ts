// Arguments of a tool that the server gives, from what it knows of a conversation's customer.
import type { CallableTool } from '#server/domain/tools/tools.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { BoundSource } from '#shared/tools/tools.ts'
import { findBoundValues } from '../customers/bound-values.store.ts'

/** Null where one of them is unknown. */
export async function boundArguments(
  ctx: OrgStoreContext,
  { bound }: Pick<CallableTool, 'bound'>,
  conversationId: Id<'conversations'>,
): Promise<Record<string, string> | null> {
  return bound.length === 0 ? {} : wholeArguments({ bound }, await findBoundValues(ctx, conversationId))
}

/** The same where the values are known already. */
export function wholeArguments(
  { bound }: Pick<CallableTool, 'bound'>,
  known: Partial<Record<BoundSource, string>>,
): Record<string, string> | null {
  const pairs = bound.map(({ argument, from }) => [argument, known[from]] as const)
  const whole = pairs.filter((pair): pair is readonly [string, string] => Boolean(pair[1]))
  return whole.length === pairs.length ? Object.fromEntries(whole) : null
}
