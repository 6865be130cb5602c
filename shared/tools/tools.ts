// HTTP tools of an organization: what is entered, and the shapes that clients receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'

export const TOOL_HOSTS_MAX = 50
export const TOOL_SECRETS_MAX = 50
/** Names of arguments, bound ones included. */
export const TOOL_PARAMETERS_MAX = 20
const TOOL_TIMEOUT_MAX_SECONDS = 15
/** A larger answer is refused. */
const TOOL_ANSWER_MAX_KILOBYTES = 64
/** Failures one after another from which a tool shows as failing. */
export const TOOL_FAILING_FROM = 3
const URL_MAX = 2000
const BODY_MAX = 4000
const HEADERS_MAX = 10
const FIELDS_MAX = 30

/** `POST` may also search; the others change something, and need an approval. */
export const TOOL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type ToolMethod = (typeof TOOL_METHODS)[number]

/** Who has to agree to each call: no one, for a tool that only reads; the customer in the chat; or a member of the team. */
export const TOOL_APPROVALS = ['none', 'customer', 'operator'] as const
export type ToolApprovalRule = (typeof TOOL_APPROVALS)[number]

/** What the server knows of the customer, whatever they claim to be. */
export const BOUND_SOURCES = ['phone', 'channel_id', 'contact_id'] as const
export type BoundSource = (typeof BOUND_SOURCES)[number]

/** A name that models accept; `_` begins none, so that names of the program cannot be met. */
const TOOL_NAME = /^[a-z][a-z0-9_]{1,47}$/
const argumentName = z.string().check(z.regex(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/))
const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
const count = (max: number) => z.number().check(z.int(), z.minimum(1), z.maximum(max))

const described = { description: z.optional(text(500)) }
/** The part of JSON Schema that arguments are described in: flat, and without patterns, which could be made to run forever. */
const parameter = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('string'),
    ...described,
    enum: z.optional(
      z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(50)),
    ),
    maxLength: z.optional(count(2000)),
  }),
  z.strictObject({
    type: z.enum(['number', 'integer']),
    ...described,
    minimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
  }),
  z.strictObject({ type: z.literal('boolean'), ...described }),
])

/** A JSON Schema of an object whose values are texts, numbers, or true and false. */
const toolParameters = z.strictObject({
  type: z.literal('object'),
  properties: z.record(argumentName, parameter),
  required: z.optional(z.array(argumentName).check(z.maxLength(TOOL_PARAMETERS_MAX))),
  additionalProperties: z.optional(z.literal(false)),
})
export type ToolParameters = z.infer<typeof toolParameters>

/** A header of each call; the secret, if there is one, follows `value`. Neither holds what could begin another header. */
const header = z.strictObject({
  name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/)),
  value: z.string().check(z.maxLength(500), z.regex(/^[\x20-\x7e]*$/)),
  secretId: z.nullable(id('toolSecrets')),
})
export type ToolHeader = z.infer<typeof header>

/** A field of the answer that the model is given: its name, and where it stands (RFC 6901). */
const field = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
  pointer: z.string().check(z.maxLength(300), z.regex(/^(\/([^~/]|~[01])*)*$/)),
})
export type ToolField = z.infer<typeof field>

const definition = {
  name: z.string().check(z.regex(TOOL_NAME)),
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000)),
  method: z.enum(TOOL_METHODS),
  approval: z.enum(TOOL_APPROVALS),
  /** What a call does, for people who agree to it: “Cancel an order”. Empty where no one has to. */
  title: z.string().check(z.trim(), z.maxLength(80)),
  /** `{name}` stands for an argument, in the path and in values of the query. */
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(URL_MAX)),
  headers: z.array(header).check(z.maxLength(HEADERS_MAX)),
  parameters: toolParameters,
  /** Arguments that come from the server; the model does not see them. */
  bound: z
    .array(z.strictObject({ argument: argumentName, from: z.enum(BOUND_SOURCES) }))
    .check(z.maxLength(BOUND_SOURCES.length)),
  /** JSON whose texts may hold `{name}`; empty: no body. */
  body: z.string().check(z.maxLength(BODY_MAX)),
  /** Empty: the whole answer. */
  fields: z.array(field).check(z.maxLength(FIELDS_MAX)),
  timeoutSeconds: count(TOOL_TIMEOUT_MAX_SECONDS),
  maxKilobytes: count(TOOL_ANSWER_MAX_KILOBYTES),
  perTurn: count(10),
  perDay: count(100_000),
}
export const toolDefinition = z.strictObject(definition)
export type ToolDefinition = z.infer<typeof toolDefinition>

const toolId = id('httpTools')
export const createToolInput = z.strictObject({ tool: toolDefinition })
export const updateToolInput = z.strictObject({ toolId, tool: toolDefinition })
export const toolInput = z.strictObject({ toolId })
const argument = z.union([z.string().check(z.maxLength(2000)), z.number(), z.boolean()])
/** Values of arguments by name. */
export type ToolArguments = Record<string, string | number | boolean>
/** `bound`: what stands for the customer in the trial. */
export const testToolInput = z.strictObject({
  toolId,
  arguments: z.record(argumentName, argument),
  bound: z.record(argumentName, z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
})

const host = z.string().check(z.trim(), z.minLength(1), z.maxLength(300))
export const toolHostInput = z.strictObject({ host })
/** Printable characters only: anything else could not be sent in a header, or would begin another. */
const secretValue = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(2000), z.regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/))
/** `host`: where the secret may be sent. An existing name replaces its value. */
export const setToolSecretInput = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
  host,
  value: secretValue,
})
export const toolSecretInput = z.strictObject({ secretId: id('toolSecrets') })

/** Why a call has failed. */
const TOOL_FAILURES = [
  'address',
  'host_not_allowed',
  'address_not_public',
  'secret_missing',
  'secret_host',
  'unreachable',
  'no_answer',
  'timeout',
  'redirected',
  'status',
  'too_large',
  'not_json',
  /** Of tools of MCP servers alone. */
  'not_mcp',
  'unauthorized',
  'reauthorization_required',
  'arguments',
  'tool_error',
] as const
export type ToolFailure = (typeof TOOL_FAILURES)[number]

/** How a call has ended. `status`: of the answer; null where none came. `result`: what a model receives. */
export type ToolOutcome = {
  failure: ToolFailure | null
  status: number | null
  result: unknown
  durationMs: number
}
/** The last trial of a tool. */
export type ToolExample = {
  at: number
  arguments: ToolArguments
  bound: Record<string, string>
  /** JSON, cut. */
  result: string
} & Omit<ToolOutcome, 'result'>

/** A tool of the organization. `failing`: it has failed that many times in a row, last at that moment; null: it has not. */
export type HttpTool = ToolDefinition & {
  _id: Id<'httpTools'>
  example: ToolExample | null
  failing: { times: number; failure: ToolFailure; at: number } | null
  usedToday: number
  updatedAt: number
}

/** A host that tools may call; `*.shop.example` is all names below it. */
export type ToolHost = { host: string; addedAt: number }
/** A secret of the vault, which never shows its value. */
export type ToolSecret = { _id: Id<'toolSecrets'>; name: string; host: string; updatedAt: number }
