// One call of an HTTP tool: the host is checked, secrets are opened and sent where they may go, and what comes back is cut to its fields.
// A trial and an agent's answer go this way alike.
import { NotConnectedError, TooLargeError } from '#server/integrations/http/http-client.ts'
import { type Outbound, OutboundError } from '#server/integrations/http/outbound.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { hasBody } from '#shared/tools/tool-rules.ts'
import type { ToolArguments, ToolFailure, ToolOutcome } from '#shared/tools/tools.ts'
import { mapped, withoutSecrets } from './answer.rules.ts'
import { isHostAllowed, requestOf } from './request.rules.ts'
import type { CallableTool, SealedSecret } from './tools.store.ts'

type CallServices = { outbound: Outbound; secrets: Secrets }

/** Thrown inside a call that is not made, or whose answer is of no use. */
class CallFailed extends Error {
  readonly failure: ToolFailure
  readonly status: number | null
  constructor(failure: ToolFailure, status: number | null = null) {
    super(failure)
    this.name = 'CallFailed'
    this.failure = failure
    this.status = status
  }
}

/**
 * Calls the service. Never throws, unless the caller's signal does.
 *
 * @param key of a call that changes something: the service may know by it that it has seen the call before
 */
export async function callTool(
  services: CallServices,
  tool: CallableTool,
  values: ToolArguments,
  signal: AbortSignal,
  key?: string,
): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const { status, result } = await attempt(services, tool, values, { signal, key })
    return { failure: null, status, result, durationMs: took() }
  } catch (error) {
    signal.throwIfAborted()
    const failure = failureOf(error)
    const status = error instanceof CallFailed ? error.status : null
    return { failure, status, result: explanationOf(failure, status), durationMs: took() }
  }
}

async function attempt(
  { outbound, secrets }: CallServices,
  tool: CallableTool,
  values: ToolArguments,
  { signal, key }: { signal: AbortSignal; key: string | undefined },
): Promise<{ status: number; result: unknown }> {
  const request = requestOf(tool, values)
  if (!request) throw new CallFailed('address')
  const { url, body } = request
  if (!isHostAllowed(url.hostname, tool.hosts)) throw new CallFailed('host_not_allowed')
  const opened = new Map(tool.secrets.map((secret) => [secret.id, open(secrets, secret, url)]))
  const timeout = AbortSignal.timeout(tool.timeoutSeconds * 1000)
  const calling = {
    method: tool.method,
    headers: { ...headersOf(tool, opened), ...(key !== undefined && { 'idempotency-key': key }) },
    ...(body !== undefined && { body }),
    maxBytes: tool.maxKilobytes * 1024,
    signal: AbortSignal.any([signal, timeout]),
  }
  const answer = await outbound.call(url.href, calling).catch((error: unknown) => {
    throw timeout.aborted ? new CallFailed('timeout') : error
  })
  const { status } = answer
  const isMissing = status === 404 || status === 410
  if (isMissing && tool.approval === 'none') return { status, result: NOTHING }
  if (status >= 300 && status < 400) throw new CallFailed('redirected', status)
  if (status < 200 || status >= 300) throw new CallFailed('status', status)
  const result = mapped(withoutSecrets(answer.text, [...opened.values()]), tool.fields)
  if (result === undefined) throw new CallFailed('not_json', status)
  return { status, result }
}

/** What a model receives where the service knows nothing of the kind. */
export const NOTHING = 'The service has found nothing.'

function open(secrets: Secrets, { id, host, value }: SealedSecret, url: URL): string {
  if (url.protocol !== 'https:' || !isHostAllowed(url.hostname, [host])) throw new CallFailed('secret_host')
  try {
    return secrets.decrypt(value, placeOf(id))
  } catch {
    throw new CallFailed('secret_missing')
  }
}

/** Where a secret is stored, to which its encryption is bound. */
export function placeOf(secretId: string): string {
  return `tool_secrets|${secretId}|value`
}

function headersOf({ headers, method }: CallableTool, opened: Map<string, string>): Record<string, string> {
  const own = headers.map(({ name, value, secretId }) => {
    const secret = secretId === null ? '' : opened.get(secretId)
    if (secret === undefined) throw new CallFailed('secret_missing')
    return [name.toLowerCase(), value + secret] as const
  })
  return {
    accept: 'application/json',
    ...Object.fromEntries(own),
    ...(hasBody(method) && { 'content-type': 'application/json' }),
  }
}

function failureOf(error: unknown): ToolFailure {
  if (error instanceof CallFailed) return error.failure
  if (error instanceof OutboundError) return 'address_not_public'
  if (error instanceof TooLargeError) return 'too_large'
  return error instanceof NotConnectedError ? 'unreachable' : 'no_answer'
}

/** For the model, which learns neither address nor configuration. */
function explanationOf(failure: ToolFailure, status: number | null): string {
  const { [failure]: why = 'it cannot be reached' } = WHY
  return `The tool gave no result: ${failure === 'status' ? `the service answered ${status}` : why}. Do not guess what it would have said.`
}

const WHY: Partial<Record<ToolFailure, string>> = {
  address: 'the arguments make no address',
  no_answer: 'the service gave no answer',
  timeout: 'the service took too long',
  too_large: 'the answer is too large',
  not_json: 'the answer is not of the expected form',
}
