// Reading requests of the API and writing its answers.
import { convexToJson, type JSONValue, type Value } from 'convex/values'
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { parseJsonArguments } from '#server/platform/functions/arguments.ts'
import { isWithin, JSON_BOUNDS } from '#server/platform/lib/http/bounded-json.ts'
import { AppError } from '#shared/errors.ts'
import type { ApiCall } from './call.ts'
import type { ApiWrite } from './once.ts'
import type { ApiStatus } from './requests.store.ts'

export type ApiEnv = { Variables: { call: ApiCall } }
type ApiContext = Context<ApiEnv>

/** Header of an answer that was given before. */
export const REPLAYED = 'idempotent-replayed'
const LIST_DEFAULT = 50
const LIST_MAX = 200

/** What was sent, together with what the path names, checked. @throws AppError invalid_arguments */
export async function readBody<Schema extends z.ZodMiniType>(
  c: ApiContext,
  schema: Schema,
  fromPath: Record<string, string>,
): Promise<{ content: string; args: z.output<Schema> }> {
  const content = await c.req.text()
  const body = parseJson(content)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject) throw new AppError('invalid_arguments', { issues: [{ path: '', message: 'Not a JSON object' }] })
  return { content, args: parseJsonArguments(schema, { ...body, ...fromPath }) }
}

/** `?limit=` and `?cursor=` of a list. @throws AppError invalid_arguments */
export function readPage(c: ApiContext): { numItems: number; cursor: string | null } {
  const numItems = Number(c.req.query('limit') ?? LIST_DEFAULT)
  if (!Number.isInteger(numItems) || numItems < 1 || numItems > LIST_MAX) {
    throw new AppError('invalid_arguments', { path: 'limit' })
  }
  return { numItems, cursor: c.req.query('cursor') ?? null }
}

/** Carries the request out once, and answers. `content`: what was sent, or a hash of it. */
export async function answerWrite(
  c: ApiContext,
  content: string,
  run: (ctx: ApiWrite) => Promise<{ status: ApiStatus; body: Value }>,
): Promise<Response> {
  const answer = await c.var.call.write(content, async (ctx) => {
    const { status, body } = await run(ctx)
    return { status, body: convexToJson(body) }
  })
  if (answer.isReplay) c.header(REPLAYED, 'true')
  return c.json(answer.body, answer.status)
}

function parseJson(text: string): JSONValue {
  if (!isWithin(text, JSON_BOUNDS)) {
    throw new AppError('invalid_arguments', { issues: [{ path: '', message: 'More values than a request may hold' }] })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Not JSON'
    throw new AppError('invalid_arguments', { issues: [{ path: '', message }] })
  }
}
