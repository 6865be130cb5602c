// Carries out a call to which someone has agreed: once, whoever takes it first. A call that was begun and not ended is never begun again; it
// may have arrived.
import { type Approval, begin, type Settled, settle } from '#server/domain/tools/approvals.store.ts'
import { callTool } from '#server/domain/tools/call.ts'
import { type CallableTool, listCallable, noteOutcome, takeOne } from '#server/domain/tools/tools.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ToolFailure, ToolOutcome } from '#shared/tools/tools.ts'
import { boundArguments } from './bound-arguments.ts'

const RESULT_KEPT = 4000
/** Longer than any tool may take. */
const CALL_MS = 60_000
const WRITE = { isolation: 'read committed' } as const

export type CarryOutParts = Pick<Services, 'database' | 'outbound' | 'secrets'>
/** How a call went. `call`: null where the service was not called. */
export type CarriedOut = Settled & { call: { tool: CallableTool; outcome: ToolOutcome; bound: string[] } | null }

/** @returns null: another has begun it */
export async function carryOut(
  parts: CarryOutParts,
  { id, organizationId }: Pick<Approval, 'id' | 'organizationId'>,
): Promise<CarriedOut | null> {
  const write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    parts.database.organization(organizationId, (db) => run({ db, organizationId }), WRITE)
  const approval = await write((ctx) => begin(ctx, id))
  if (!approval) return null
  const result = await attempt(parts, approval, write)
  const { call: _, ...settled } = result
  await write((ctx) => settle(ctx, id, settled))
  return result
}

type Write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T>

async function attempt(parts: CarryOutParts, approval: Approval, write: Write): Promise<CarriedOut> {
  const { tool: asked, arguments: given, conversationId } = approval
  const refused = (failure: Settled['failure']) => ({ status: 'failed' as const, failure, result: null, call: null })
  const [tool] = await write((ctx) => listCallable(ctx, [asked.id]))
  if (!tool) return refused('tool_gone')
  if (tool.version !== asked.version) return refused('tool_changed')
  const bound = await write((ctx) => boundArguments(ctx, tool, conversationId))
  if (!bound) return refused('customer_unknown')
  if (!(await write((ctx) => takeOne(ctx, tool.id, tool.perDay)))) return refused('day_limit')
  // Whatever becomes of the turn: a call that is broken off may have arrived.
  const signal = AbortSignal.timeout(CALL_MS)
  const outcome = await callTool(parts, tool, { ...given, ...bound }, signal, approval.id)
  await write((ctx) => noteOutcome(ctx, tool.id, outcome.failure))
  return { ...settledBy(outcome), call: { tool, outcome, bound: Object.keys(bound) } }
}

/** Failures after which the service has changed nothing: it was not reached, or has said no. */
const NOTHING_DONE: ReadonlySet<ToolFailure> = new Set([
  ...(['address', 'host_not_allowed', 'address_not_public', 'secret_missing', 'secret_host', 'unreachable'] as const),
  'redirected',
])

/** What the answer of a service means for a call that changes something. */
export function settledBy({ failure, status, result }: Pick<ToolOutcome, 'failure' | 'status' | 'result'>): Settled {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  const kept = { failure, result: text.slice(0, RESULT_KEPT).toWellFormed() }
  // An answer in an unexpected form is an answer: it was carried out.
  if (failure === null || failure === 'not_json')
    return { status: 'done', ...kept, result: failure ? null : kept.result }
  const isRefused = failure === 'status' && status !== null && status < 500
  return { status: isRefused || NOTHING_DONE.has(failure) ? 'failed' : 'uncertain', ...kept }
}
