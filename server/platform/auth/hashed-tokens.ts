// Stores tokens of sessions and one-time values as hashes, so that a reader of the database cannot sign in with them. The sign-in library
// still looks tokens up by their plain value.
import { createHash } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import { getAdapter } from 'better-auth/db/adapter'

type Adapter = Awaited<ReturnType<typeof getAdapter>>
type Query = { model: string; where?: { field: string; value: unknown }[] | undefined }

/** Model → the field of it that lets in who knows it. */
const HASHED: Partial<Record<string, string>> = { session: 'token', verification: 'identifier' }

/** The stored form of a token. It is random and long, so that a plain hash reveals nothing about it. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The database of the sign-in library, which hashes on the way. Rows found without their token bring the hash in its place. */
export async function hashingDatabase(options: BetterAuthOptions): Promise<() => Adapter> {
  const adapter = await getAdapter(options)
  const hashing = { ...hashed(adapter), transaction: adapter.transaction } as Adapter
  hashing.transaction = (run) => adapter.transaction((inner) => run(hashed(inner)))
  return () => hashing
}

function hashed<Inner extends Omit<Adapter, 'transaction'>>(inner: Inner): Inner {
  return {
    ...inner,
    async create(query: Parameters<Adapter['create']>[0]) {
      const row = await inner.create<Row, Row>({ ...query, data: withHash(query.model, query.data) })
      return withToken(query.model, row, query.data[HASHED[query.model] ?? ''])
    },
    async findOne(query: Parameters<Adapter['findOne']>[0]) {
      return withToken(query.model, await inner.findOne<Row>(asked(query)), tokenOf(query))
    },
    async update(query: Parameters<Adapter['update']>[0]) {
      return withToken(query.model, await inner.update<Row>(asked(query)), tokenOf(query))
    },
    findMany: (query: Parameters<Adapter['findMany']>[0]) => inner.findMany(asked(query)),
    count: (query: Parameters<Adapter['count']>[0]) => inner.count(asked(query)),
    updateMany: (query: Parameters<Adapter['updateMany']>[0]) => inner.updateMany(asked(query)),
    delete: (query: Parameters<Adapter['delete']>[0]) => inner.delete(asked(query)),
    deleteMany: (query: Parameters<Adapter['deleteMany']>[0]) => inner.deleteMany(asked(query)),
    consumeOne: (query: Parameters<Adapter['consumeOne']>[0]) => inner.consumeOne(asked(query)),
  } as Inner
}

type Row = Record<string, unknown>

function withHash<Data extends object>(model: string, data: Data): Data {
  const field = HASHED[model]
  const token = field && (data as Row)[field]
  return typeof token === 'string' ? { ...data, [field as string]: hashOfToken(token) } : data
}

function withToken(model: string, row: Row | null, token: unknown): Row | null {
  const field = HASHED[model]
  return row && field && typeof token === 'string' ? { ...row, [field]: token } : row
}

function asked<Given extends Query>(query: Given): Given {
  const field = HASHED[query.model]
  if (!field || !query.where) return query
  const hash = (value: unknown) => (typeof value === 'string' ? hashOfToken(value) : value)
  const where = query.where.map((term) =>
    term.field === field
      ? { ...term, value: Array.isArray(term.value) ? term.value.map(hash) : hash(term.value) }
      : term,
  )
  return { ...query, where }
}

function tokenOf({ model, where }: Query): unknown {
  return where?.find(({ field }) => field === HASHED[model])?.value
}
