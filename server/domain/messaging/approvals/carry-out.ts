// Carries out a call to which someone has agreed: once, by the first to take it. A call that was begun and not ended is never begun again; it
// may have arrived.
import { callMcpTool } from '#server/domain/mcp-servers/call.ts'
import { listCallableMcp, noteMcpOutcome, takeOneOfMcp } from '#server/domain/mcp-servers/tools.store.ts'
import { type Approval, begin, type Settled, settle } from '#server/domain/tools/approvals.store.ts'
import { callTool } from '#server/domain/tools/call.ts'
import { listCallable, noteOutcome, takeOne } from '#server/domain/tools/tools.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import type { ToolArguments, ToolFailure, ToolOutcome } from '#shared/tools/tools.ts'
import { boundArguments } from './bound-arguments.ts'

const RESULT_KEPT = 4000
/** Longer than any tool may take. */
const CALL_MS = 60_000
const WRITE = { isolation: 'read committed' } as const

export type CarryOutParts = Pick<Services, 'database' | 'outbound' | 'secrets'>
/** How a call went. `call`: null where the service was not called. */
export type CarriedOut = Settled & { call: { host: string; outcome: ToolOutcome; bound: string[] } | null }

/** @returns null: another has begun it */
export async function carryOut(
  parts: CarryOutParts,
  { id, organizationId }: Pick<Approval, 'id' | 'organizationId'>,
): Promise<CarriedOut | null> {
  const write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    parts.database.organization(organizationId, (db) => run({ db, organizationId }), WRITE)
  const approval = await write((ctx) => begin(ctx, id))
  if (!approval) return null
  failpoint('approved-call-begun')
  const result = await attempt(parts, approval, write)
  failpoint('approved-call-made')
  const { call: _, ...settled } = result
  await write((ctx) => settle(ctx, id, settled))
  return result
}

type Write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T>

function refused(failure: Settled['failure']): CarriedOut {
  return { status: 'failed', failure, result: null, call: null }
}

function attempt(parts: CarryOutParts, approval: Approval, write: Write): Promise<CarriedOut> {
  return approval.tool.kind === 'http' ? callHttp(parts, approval, write) : callMcp(parts, approval, write)
}

async function callHttp(parts: CarryOutParts, approval: Approval, write: Write): Promise<CarriedOut> {
  const { id, tool: asked, arguments: given, conversationId } = approval
  const [tool] = await write((ctx) => listCallable(ctx, [asked.id]))
  if (!tool) return refused('tool_gone')
  if (tool.version !== asked.version) return refused('tool_changed')
  const bound = await write((ctx) => boundArguments(ctx, tool, conversationId))
  if (!bound) return refused('customer_unknown')
  if (!(await write((ctx) => takeOne(ctx, tool.id, tool.perDay)))) return refused('day_limit')
  const values = { ...given, ...bound } as ToolArguments // as the tool's schema has let them through
  const outcome = await callTool(parts, tool, values, unhurried(), id)
  await write((ctx) => noteOutcome(ctx, tool.id, outcome.failure))
  return { ...settledBy(outcome), call: { host: hostOf(tool.url), outcome, bound: Object.keys(bound) } }
}

/** The protocol has no key by which a server would know a repeated call: it is not repeated. */
async function callMcp(parts: CarryOutParts, { tool: asked, arguments: given }: Approval, write: Write) {
  const [tool] = await write((ctx) => listCallableMcp(ctx, [asked.id]))
  if (!tool) return refused('tool_gone')
  if (tool.version !== asked.version) return refused('tool_changed')
  if (!(await write((ctx) => takeOneOfMcp(ctx, tool.id)))) return refused('day_limit')
  const outcome = await callMcpTool(parts, tool, given, unhurried())
  await write((ctx) => noteMcpOutcome(ctx, tool.id, outcome.failure))
  return { ...settledBy(outcome), call: { host: hostOf(tool.server.url), outcome, bound: [] } }
}

/** Whatever becomes of the turn: a call that is broken off may have arrived. */
function unhurried(): AbortSignal {
  return AbortSignal.timeout(CALL_MS)
}

/** The host that an address of a tool leads to. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''
}

/** Failures after which the service has changed nothing: it was not reached, or has refused. */
const NOTHING_DONE: ReadonlySet<ToolFailure> = new Set([
  ...(['address', 'host_not_allowed', 'address_not_public', 'secret_missing', 'secret_host', 'unreachable'] as const),
  ...(['redirected', 'arguments', 'tool_error', 'unauthorized', 'reauthorization_required'] as const),
])

/** What the answer of a service means for a call that changes something. */
function settledBy({ failure, status, result }: Pick<ToolOutcome, 'failure' | 'status' | 'result'>): Settled {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  const kept = { failure, result: text.slice(0, RESULT_KEPT).toWellFormed() }
  // An answer in an unexpected form is an answer: it was carried out.
  if (failure === null || failure === 'not_json')
    return { status: 'done', ...kept, result: failure ? null : kept.result }
  const isRefused = failure === 'status' && status !== null && status < 500
  return { status: isRefused || NOTHING_DONE.has(failure) ? 'failed' : 'uncertain', ...kept }
}
