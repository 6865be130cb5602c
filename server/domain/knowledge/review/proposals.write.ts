// What an approval does to a space, and how it is undone. Each within the caller's transaction.

import { indexFewChunks, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import type { ProposalUndo } from '#server/platform/db/tables/knowledge-proposals.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { ALSO_ASKED_AS_MAX_ITEMS } from '#shared/limits.ts'
import { getChunk, replaceChunk } from '../documents/chunks/chunks.store.ts'
import { getFragment } from '../notes/fragments.store.ts'
import { addFragment, changeFragment, removeFragment } from '../notes/fragments.write.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import type { WriteContext } from '../spaces/writes.ts'
import type { StoredProposal } from './proposals.store.ts'

export type Approved = { question: string; answer: string; replaces: boolean }

/**
 * Creates a note. One that replaces another note updates it, and keeps its name as a further wording; one that replaces a passage of a
 * document hides that passage.
 *
 * @returns how to undo it
 * @throws AppError not_found, also when the note or passage to replace is gone
 */
export async function makeNote(
  ctx: WriteContext,
  { knowledge_space_id: spaceId, alike }: StoredProposal,
  { question, answer, replaces }: Approved,
): Promise<ProposalUndo> {
  if (replaces && alike?.kind === 'fragment') {
    const fragmentId = alike.documentId as Id<'fragments'>
    const { name, content, alsoAskedAs } = await getFragment(ctx, fragmentId)
    const wordings = [...new Set([...alsoAskedAs, name])].filter((wording) => wording !== question)
    await changeFragment(ctx, fragmentId, {
      name: question,
      content: answer,
      alsoAskedAs: wordings.slice(0, ALSO_ASKED_AS_MAX_ITEMS),
    })
    return { kind: 'changed', fragmentId, before: { name, content, alsoAskedAs } }
  }
  const { _id: fragmentId } = await addFragment(ctx, spaceId, { name: question, content: answer, alsoAskedAs: [] })
  if (!replaces || !alike) return { kind: 'added', fragmentId }
  return { kind: 'hidden', fragmentId, chunkId: await showChunk(ctx, alike.chunkId, false) }
}

/** Undoes an approval. What people have deleted since stays so. */
export async function unmakeNote(ctx: WriteContext, undo: ProposalUndo): Promise<void> {
  await unlessGone(
    undo.kind === 'changed' ? changeFragment(ctx, undo.fragmentId, undo.before) : removeFragment(ctx, undo.fragmentId),
  )
  if (undo.kind === 'hidden') await unlessGone(showChunk(ctx, undo.chunkId, true))
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}

/** Lets a passage be found, or not. @returns its id from now on @throws AppError not_found */
async function showChunk(ctx: WriteContext, chunkId: Id<'chunks'>, isEnabled: boolean): Promise<Id<'chunks'>> {
  const before = await getChunk(ctx, chunkId)
  await assertSpace(ctx, before.knowledge_space_id)
  if (before.is_enabled === isEnabled) return chunkId
  const { body, token_count, content_hash, title, heading_path: headingPath, also_asked_as: alsoAskedAs } = before
  const id = newId('chunks')
  await replaceChunk(ctx, before, { id, body, token_count, content_hash, is_enabled: isEnabled })
  if (isEnabled) await indexFewChunks(ctx, before.knowledge_space_id, [{ id, body, title, headingPath, alsoAskedAs }])
  await tidyLater(ctx, before.knowledge_space_id)
  return id
}
