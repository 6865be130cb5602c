// The messages of the `convex` client, version 1.48.0, as schemas and texts. No input or output, no state.
import type { JSONValue } from 'convex/values'
import { z } from 'zod'
import { type JsonBounds, parseBoundedJson } from '#server/platform/lib/http/bounded-json.ts'
import type { Outcome } from './host.ts'
import { CHUNK_CHARACTERS, FUNCTION_NAME_MAX, TOKEN_MAX } from './limits.ts'

const counter = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
/** Any result of JSON.parse. */
const json = z.custom<JSONValue>((value) => value !== undefined)
/** No function has a longer name: one of which more was sent is unknown, and kept no longer than this. */
const path = z.string().transform((name) => name.slice(0, FUNCTION_NAME_MAX))
/** The client always sends one object. */
const args = z.array(json).max(1)
const journal = z.string().max(16_384).nullish()
const u64 = z.string().regex(/^[A-Za-z0-9+/]{11}=$/)

const connect = z.object({
  type: z.literal('Connect'),
  sessionId: z.string().regex(/^[\w-]{8,64}$/),
  connectionCount: counter,
  maxObservedTimestamp: u64.nullish(),
  /** What the client's clock shows, milliseconds; it goes on from the first moment at which the page asked, and never back. */
  clientTs: z.number().optional(),
})
const authenticate = z.object({
  type: z.literal('Authenticate'),
  tokenType: z.enum(['User', 'Admin', 'None']),
  value: z.string().max(TOKEN_MAX).optional(),
  baseVersion: counter,
})
const add = z.object({
  type: z.literal('Add'),
  queryId: counter,
  udfPath: path,
  args,
  journal,
  componentPath: z.null().optional(),
})
const remove = z.object({ type: z.literal('Remove'), queryId: counter })
const modifyQuerySet = z.object({
  type: z.literal('ModifyQuerySet'),
  baseVersion: counter,
  newVersion: counter,
  modifications: z.array(z.discriminatedUnion('type', [add, remove])),
})
const request = { requestId: counter, udfPath: path, args, componentPath: z.null().optional() }
const mutation = z.object({ type: z.literal('Mutation'), ...request })
const action = z.object({ type: z.literal('Action'), ...request })
const event = z.object({ type: z.literal('Event') })

const clientMessage = z.discriminatedUnion('type', [connect, authenticate, modifyQuerySet, mutation, action, event])

export type ClientMessage = z.infer<typeof clientMessage>
export type Connect = z.infer<typeof connect>
export type Authenticate = z.infer<typeof authenticate>
export type ModifyQuerySet = z.infer<typeof modifyQuerySet>
export type AddQuery = z.infer<typeof add>
export type MutationMessage = z.infer<typeof mutation>
export type ActionMessage = z.infer<typeof action>

/** Undefined for anything that is not a message of the protocol, or is one with more in it than the bounds allow. */
export function parseClientMessage(text: string, bounds: JsonBounds): ClientMessage | undefined {
  return clientMessage.safeParse(parseBoundedJson(text, bounds)).data
}

/** 64 bits, little-endian, base64: how timestamps travel. */
export function encodeU64(value: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes.toString('base64')
}

/** The reverse of `encodeU64`. */
export function decodeU64(text: string): bigint {
  return Buffer.from(text, 'base64').readBigUInt64LE()
}

/** What both sides agree that the client has seen. `ts` is encoded. */
export type StateVersion = { querySet: number; identity: number; ts: string }

export const PING = '{"type":"Ping"}'

/** A message whose beginning differs per client: `opening` receives the result of `clockSkewText`. */
export type OwnOpening = { opening(own: string): string; rest: string }

/** What a Transition says of one client's clock. `clockSkew`: client minus server, milliseconds; null: unknown. */
export function clockSkewText(clockSkew: number | null): string {
  return clockSkew === null ? '' : `"clientClockSkew":${clockSkew},`
}

/**
 * A Transition around modifications that are encoded already; a large one in several pieces, to be sent one after another.
 * `serverTs`: when it is sent, nanoseconds since the epoch.
 */
export function transition(
  { start, end, serverTs }: { start: StateVersion; end: StateVersion; serverTs: bigint },
  modifications: readonly string[],
  { transitionId, size = CHUNK_CHARACTERS }: { transitionId(): string; size?: number },
): OwnOpening[] {
  const versions = `"startVersion":${version(start)},"endVersion":${version(end)}`
  const rest = `"serverTs":${serverTs},${versions},"modifications":[${modifications.join()}]}`
  const head = '{"type":"Transition",'
  if (rest.length <= size) return [{ opening: (own) => head + own, rest }]
  const totalParts = Math.ceil(rest.length / size)
  const id = JSON.stringify(transitionId())
  return Array.from({ length: totalParts }, (_, partNumber) => {
    const chunk = quoted(rest.slice(partNumber * size, (partNumber + 1) * size))
    const opening = (own: string) => `{"type":"TransitionChunk","chunk":"${partNumber === 0 ? quoted(head + own) : ''}`
    return { opening, rest: `${chunk}","partNumber":${partNumber},"totalParts":${totalParts},"transitionId":${id}}` }
  })
}

/** As it stands between the quotes of a JSON text. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function version({ querySet, identity, ts }: StateVersion): string {
  return `{"querySet":${querySet},"identity":${identity},"ts":"${ts}"}`
}

/** The part of a query's modification that all its subscribers share: made once, completed by `modification`. */
export function resultText(outcome: Outcome, journal: string | null): string {
  const tail = `"logLines":[],"journal":${JSON.stringify(journal)}}`
  if (outcome.ok) return `"type":"QueryUpdated","value":${JSON.stringify(outcome.value)},${tail}`
  return `"type":"QueryFailed","errorMessage":${JSON.stringify(outcome.message)},${errorData(outcome)}${tail}`
}

/** One query's entry in a Transition. */
export function modification(queryId: number, result: string): string {
  return `{"queryId":${queryId},${result}`
}

/** Tells the client that a query it removed is gone. */
export function removal(queryId: number): string {
  return `{"type":"QueryRemoved","queryId":${queryId}}`
}

/** `ts`: from which moment on results include the mutation; null when it failed. */
export function mutationResponse(requestId: number, outcome: Outcome, ts: string | null): string {
  const time = outcome.ok && ts !== null ? `"ts":"${ts}",` : ''
  return `{"type":"MutationResponse","requestId":${requestId},${time}${requestOutcome(outcome)}`
}

export function actionResponse(requestId: number, outcome: Outcome): string {
  return `{"type":"ActionResponse","requestId":${requestId},${requestOutcome(outcome)}`
}

function requestOutcome(outcome: Outcome): string {
  const result = JSON.stringify(outcome.ok ? outcome.value : outcome.message)
  return `"success":${outcome.ok},"result":${result},${outcome.ok ? '' : errorData(outcome)}"logLines":[]}`
}

function errorData(outcome: Outcome & { ok: false }): string {
  return outcome.data === undefined ? '' : `"errorData":${JSON.stringify(outcome.data)},`
}

/** After this the client does not come back. */
export function fatalError(reason: string, explanation: string): string {
  return JSON.stringify({ type: 'FatalError', error: `${reason}: ${explanation}` })
}

/**
 * `baseVersion`: the identity version that the client should still be at.
 * `authUpdateAttempted`: the error answers an Authenticate; otherwise an accepted identity has ended.
 */
export function authError(error: string, baseVersion: number, authUpdateAttempted: boolean): string {
  return JSON.stringify({ type: 'AuthError', error, baseVersion, authUpdateAttempted })
}
