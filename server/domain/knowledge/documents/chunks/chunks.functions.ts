// Chunks: what documents and fragments were cut into, shown to people and changed by them.

import { indexFewChunks, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import { measure } from '#server/domain/knowledge/search/chunking/finish-chunks.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import {
  chunkRangeInput,
  chunkSourceInput,
  listChunksInput,
  locateChunkInput,
  updateChunkInput,
} from '#shared/knowledge/chunks.ts'
import { findSource } from '../../spaces/sources.store.ts'
import { listRange, locateChunk } from './chunks.range.store.ts'
import * as store from './chunks.store.ts'

/** The chunks of a document or fragment, in reading order. @throws not_found */
export const list = orgQuery({
  args: listChunksInput,
  handler: async (ctx, { sourceId, paginationOpts }) => {
    const { knowledgeSpaceId } = await findSource(ctx, sourceId)
    return store.listChunks(ctx, { spaceId: knowledgeSpaceId, id: sourceId }, paginationOpts)
  },
})

/** How many chunks a document, fragment or table has, and where among them one stands that is remembered by its id. @throws not_found */
export const locate = orgQuery({
  args: locateChunkInput,
  handler: async (ctx, { sourceId, ...remembered }) => {
    const { knowledgeSpaceId } = await findSource(ctx, sourceId)
    return locateChunk(ctx, { spaceId: knowledgeSpaceId, id: sourceId }, remembered)
  },
})

/** Some chunks in reading order, from any place on; fewer at the end. @throws not_found */
export const range = orgQuery({
  args: chunkRangeInput,
  handler: async (ctx, { sourceId, from, count }) => {
    const { knowledgeSpaceId } = await findSource(ctx, sourceId)
    return listRange(ctx, { spaceId: knowledgeSpaceId, id: sourceId }, from, count)
  },
})

/** What a document or fragment is called, and the space in which it stands. @throws not_found */
export const source = orgQuery({
  args: chunkSourceInput,
  handler: (ctx, { sourceId }) => findSource(ctx, sourceId),
})

/**
 * Changes the text of a chunk, or whether it is found. Only this chunk is indexed and embedded again, under a new id.
 * @returns the chunk that replaces it
 * @throws not_found; chunk_not_editable for a note, whose text is changed as a whole
 */
export const update = orgMutation({
  args: updateChunkInput,
  handler: async (ctx, { chunkId, patch }) => {
    const before = await store.getChunk(ctx, chunkId)
    await findSource(ctx, before.source_id)
    if (before.source_kind !== 'document') throw new AppError('chunk_not_editable')
    const body = patch.content ?? before.body
    const { tokens, contentHash } = await measure(body)
    const isEnabled = patch.isEnabled ?? before.is_enabled
    const id = newId('chunks')
    const change = { id, body, token_count: tokens, content_hash: contentHash, is_enabled: isEnabled }
    const changed = await store.replaceChunk(ctx, before, change)
    if (isEnabled) {
      const { title, heading_path: headingPath, also_asked_as: alsoAskedAs } = before
      await indexFewChunks(ctx, before.knowledge_space_id, [{ id, body, title, headingPath, alsoAskedAs }])
    }
    await tidyLater(ctx, before.knowledge_space_id)
    return changed
  },
})
