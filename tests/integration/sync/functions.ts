// Public functions that exist only in these tests, over real tables: a knowledge space serves as a counter and as a list item.
import { ConvexError } from 'convex/values'
import * as z from 'zod/mini'
import {
  adminQuery,
  orgAction,
  orgMutation,
  orgQuery,
  publicAction,
  publicMutation,
  publicQuery,
  userQuery,
} from '#server/functions/define.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ApiOf } from '#server/platform/functions/api-types.ts'
import { paginate } from '#server/platform/functions/paginate.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { id, noArgs, paginationOpts } from '#shared/schema.ts'

/** How often handlers were run, by function. */
export const runs: Record<string, number> = {}
function count(name: string): void {
  runs[name] = (runs[name] ?? 0) + 1
}

/** What the tests let actions wait for, and learn about them. */
export const world: { gate: Promise<void>; queryGate: Promise<void>; aborted: string[]; started: string[] } = {
  gate: Promise.resolve(),
  queryGate: Promise.resolve(),
  aborted: [],
  started: [],
}

const slug = z.strictObject({ slug: z.string() })

async function add(ctx: OrgStoreContext, name: string, by: number): Promise<number> {
  const row = await ctx.db
    .updateTable('knowledge_spaces')
    .set((eb) => ({ index_version: eb('index_version', '+', by) }))
    .where('slug', '=', name)
    .returning('index_version')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.index_version
}

async function insertSpace(ctx: OrgStoreContext, name: string): Promise<void> {
  await ctx.db
    .insertInto('knowledge_spaces')
    .values({
      id: newId('knowledgeSpaces'),
      organization_id: ctx.organizationId,
      slug: name,
      name,
      description: '',
    })
    .execute()
}

const counters = {
  get: orgQuery({
    args: slug,
    handler: async (ctx, args) => {
      count('counters:get')
      const row = await ctx.db
        .selectFrom('knowledge_spaces')
        .select('index_version')
        .where('slug', '=', args.slug)
        .executeTakeFirst()
      return row?.index_version ?? null
    },
  }),
  /** The counter, once it may be looked at. */
  getGated: orgQuery({
    args: slug,
    handler: async (ctx, args) => {
      count('counters:getGated')
      await world.queryGate
      const query = ctx.db.selectFrom('knowledge_spaces').select('index_version').where('slug', '=', args.slug)
      return (await query.executeTakeFirst())?.index_version ?? null
    },
  }),
  /** The counter with half a mebibyte of ballast. */
  getHeavy: orgQuery({
    args: slug,
    handler: async (ctx, args) => {
      const query = ctx.db.selectFrom('knowledge_spaces').select('index_version').where('slug', '=', args.slug)
      return { value: (await query.executeTakeFirst())?.index_version ?? null, ballast: 'x'.repeat(2 ** 19) }
    },
  }),
  increment: orgMutation({ args: slug, handler: (ctx, args) => add(ctx, args.slug, 1) }),
  incrementLocked: orgMutation({
    args: slug,
    lockKey: ({ organizationId }, args) => `${organizationId}:${args.slug}`,
    handler: (ctx, args) => add(ctx, args.slug, 1),
  }),
  touch: orgMutation({ args: slug, handler: (ctx, args) => add(ctx, args.slug, 0) }),
  /** Moves one from a counter to another: their sum stays. */
  transfer: orgMutation({
    args: z.strictObject({ from: z.string(), to: z.string() }),
    handler: async (ctx, { from, to }) => {
      await add(ctx, from, -1)
      await add(ctx, to, 1)
    },
  }),
}

const spaces = {
  create: orgMutation({ args: slug, handler: (ctx, args) => insertSpace(ctx, args.slug) }),
  remove: orgMutation({
    args: slug,
    handler: async (ctx, args) => {
      await ctx.db.deleteFrom('knowledge_spaces').where('slug', '=', args.slug).execute()
    },
  }),
  names: orgQuery({
    args: noArgs,
    handler: async (ctx) => {
      count('spaces:names')
      const rows = await ctx.db.selectFrom('knowledge_spaces').select('name').orderBy('name').execute()
      return rows.map((row) => row.name)
    },
  }),
  bySlug: orgQuery({
    args: z.strictObject({ slug: z.string(), organizationId: id('organizations') }),
    handler: async (ctx, args) => {
      const row = await ctx.db
        .selectFrom('knowledge_spaces')
        .select('name')
        .where('slug', '=', args.slug)
        .executeTakeFirst()
      if (!row) throw new AppError('not_found')
      return row.name
    },
  }),
  page: orgQuery({
    args: z.strictObject({ paginationOpts }),
    handler: (ctx, args) => {
      count('spaces:page')
      const query = ctx.db.selectFrom('knowledge_spaces').select(['name'])
      const order = {
        by: [
          ['created_at', 'instant'],
          ['id', 'text'],
        ],
        direction: 'desc',
      } as const
      return paginate(ctx, query, args.paginationOpts, order, (row) => row.name)
    },
  }),
}

const people = {
  me: userQuery({ args: noArgs, handler: async ({ caller }) => ({ email: caller.email, role: caller.role }) }),
  organizations: adminQuery({
    args: noArgs,
    handler: async (ctx) => (await ctx.db.selectFrom('organizations').select('name').orderBy('name').execute()).length,
  }),
}

const anything = z.strictObject({ value: z.unknown() })

const wire = {
  plans: publicQuery({
    args: noArgs,
    handler: async (ctx) => {
      count('wire:plans')
      return (await ctx.db.selectFrom('plans').select('slug').orderBy('slug').execute()).map((plan) => plan.slug)
    },
  }),
  large: publicQuery({
    args: z.strictObject({ length: z.number() }),
    handler: async (_, { length }) => '👋'.repeat(length),
  }),
  echo: publicQuery({ args: anything, handler: async (_, { value }) => value ?? null }),
  refuse: publicQuery({
    args: noArgs,
    handler: async () => {
      throw new ConvexError({ code: 'model_failed', message: 'Отказ', count: 5n })
    },
  }),
  refuseMutation: publicMutation({
    args: noArgs,
    handler: async () => {
      throw new AppError('rate_limited', { retryAfterMs: 5n })
    },
  }),
  breakDown: publicQuery({
    args: noArgs,
    handler: async () => {
      throw new Error('secret detail')
    },
  }),
  badQuery: publicQuery({
    args: noArgs,
    handler: async (ctx) => {
      await ctx.db.selectFrom('plans').select('slug').where('sort_order', '=', Number.MAX_VALUE).execute()
      return null
    },
  }),
  cyrillicKeys: publicQuery({ args: noArgs, handler: async () => ({ имя: 1 }) }),
  refuseAction: publicAction({
    args: noArgs,
    handler: async () => {
      throw new AppError('telegram_failed', { description: 'Токен неверен' })
    },
  }),
  wait: orgAction({
    args: z.strictObject({ key: z.string() }),
    handler: async (ctx, { key }) => {
      world.started.push(key)
      ctx.signal.addEventListener('abort', () => world.aborted.push(key))
      await world.gate
      await ctx.write((own) => insertSpace(own, key))
      return key
    },
  }),
}

export const modules = { counters, people, wire, 'knowledge/spaces': spaces } as const
export type TestApi = ApiOf<typeof modules>
