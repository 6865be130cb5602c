// SQL for reading the chunks of a long source from any position.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { Chunk, ChunkLocation } from '#shared/knowledge/chunks.ts'
import { toChunk } from './chunks.store.ts'

type Source = { spaceId: Id<'knowledgeSpaces'>; id: string }
/** A chunk as a client remembers it: a current or former id, and an excerpt of its text. */
type Remembered = { chunkId?: string | undefined; excerpt?: string | undefined }

/** `count` chunks in reading order, the first of them after `from` others. */
export async function listRange(ctx: OrgStoreContext, source: Source, from: number, count: number): Promise<Chunk[]> {
  const rows = await chunksOf(ctx, source).selectAll().orderBy('ordinal').offset(from).limit(count).execute()
  return rows.map(toChunk)
}

/** The position of a chunk in its source. Without an id, or when it is gone, only the number of chunks. */
export async function locateChunk(
  ctx: OrgStoreContext,
  source: Source,
  remembered: Remembered,
): Promise<ChunkLocation> {
  const chunk = await findChunk(ctx, source, remembered)
  const { total, before } = await chunksOf(ctx, source)
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn
        .countAll<number>()
        .filterWhere('ordinal', '<', chunk?.ordinal ?? 0)
        .as('before'),
    ])
    .executeTakeFirstOrThrow()
  if (!chunk) return { total: Number(total), found: null }
  const { excerpt, chunkId } = remembered
  const hasChanged = excerpt === undefined ? chunk.id !== chunkId : !chunk.body.includes(excerpt)
  return { total: Number(total), found: { chunkId: chunk.id, index: Number(before), hasChanged } }
}

/** By an id that it has or had; else the first that says the same, as a note does when only its name was changed. */
async function findChunk(ctx: OrgStoreContext, source: Source, { chunkId, excerpt }: Remembered) {
  if (chunkId === undefined) return undefined
  const chunks = chunksOf(ctx, source).select(['id', 'ordinal', 'body'])
  const known = await chunks
    .where((eb) =>
      eb.or([
        eb('id', '=', chunkId as Id<'chunks'>),
        eb('former_ids', '@>', eb.cast<Id<'chunks'>[]>(eb.val(JSON.stringify([chunkId])), 'jsonb')),
      ]),
    )
    .executeTakeFirst()
  if (known || !excerpt) return known
  return chunks
    .where((eb) => eb(eb.fn<number>('strpos', ['body', eb.val(excerpt)]), '>', 0))
    .orderBy('ordinal')
    .executeTakeFirst()
}

function chunksOf(ctx: OrgStoreContext, source: Source) {
  return ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', source.spaceId)
    .where('source_id', '=', source.id)
}
