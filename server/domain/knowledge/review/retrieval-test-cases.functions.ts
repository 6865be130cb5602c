// Test sets: people mark in the tester which passages answer a question, and see how often search finds them.

import { searchFully } from '#server/domain/knowledge/spaces/search.full.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type CaseScores,
  caseInput,
  casesInput,
  EXPECTED_EXCERPT_MAX,
  type ExpectedPassage,
  isExpected,
  markCaseInput,
  scoreCasesInput,
} from '#shared/knowledge/knowledge-cases.ts'
import { KNOWLEDGE_CASES_MAX } from '#shared/limits.ts'
import { getChunk } from '../documents/chunks/chunks.store.ts'
import { countTried } from '../spaces/search.usage.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { LOOKED_AT, rankOf, scoresOf } from './retrieval-test-cases.rules.ts'
import * as store from './retrieval-test-cases.store.ts'

/** The test set of a space, newest first. @throws not_found */
export const list = orgQuery({
  args: casesInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listCases(ctx, knowledgeSpaceId)
  },
})

/**
 * Says of a passage whether it answers a question. A question that no passage answers leaves the set. Safe to repeat.
 *
 * @throws not_found; too_many_cases with `max`
 */
export const mark = orgMutation({
  args: markCaseInput,
  handler: async (ctx, { knowledgeSpaceId, question, chunkId, isExpected: isWanted }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    const chunk = await getChunk(ctx, chunkId)
    if (chunk.knowledge_space_id !== knowledgeSpaceId) throw new AppError('not_found')
    const before = await store.findCase(ctx, knowledgeSpaceId, question)
    const metadata = { sourceKind: chunk.source_kind, firstRow: chunk.first_row }
    const place = { documentId: chunk.source_id, content: chunk.body, metadata }
    const others = (before?.expected ?? []).filter((passage) => !isExpected(place, passage))
    const excerpt = chunk.body.slice(0, EXPECTED_EXCERPT_MAX)
    const marked = { sourceId: chunk.source_id, source: chunk.title, excerpt, firstRow: chunk.first_row }
    const expected: ExpectedPassage[] = isWanted ? [...others, marked] : others
    if (expected.length > 0) {
      if (!before) await assertRoom(ctx, knowledgeSpaceId)
      const id = before?._id ?? newId('knowledgeCases')
      await store.saveCase(ctx, { id, knowledgeSpaceId, question, expected }, ctx.now)
    } else if (before) await store.deleteCase(ctx, before._id)
    return null
  },
})

/** Takes a question out of the set. @throws not_found */
export const remove = orgMutation({
  args: caseInput,
  handler: async (ctx, { caseId }) => {
    await assertSpace(ctx, await store.getSpaceOfCase(ctx, caseId))
    await store.deleteCase(ctx, caseId)
    return null
  },
})

/** Searches for every question of the set as a reply would, and tells where what answers it was found. @throws not_found */
export const score = orgAction({
  args: scoreCasesInput,
  handler: async (ctx, { knowledgeSpaceId, without = [] }): Promise<CaseScores> => {
    const cases = await ctx.read(async (read) => {
      await assertSpace(read, knowledgeSpaceId)
      return store.listCases(read, knowledgeSpaceId)
    })
    const { organizationId, signal } = ctx
    const search = { organizationId, spaceIds: [knowledgeSpaceId], limit: LOOKED_AT, without, signal }
    const ranks: CaseScores['cases'] = []
    for (const { _id: caseId, question, expected } of cases) {
      const request = { ...search, query: question }
      const { response, calls } = await searchFully(ctx.read, ctx.services, request)
      await countTried(ctx, calls)
      ranks.push({ caseId, rank: rankOf(response.results, expected) })
    }
    return scoresOf(ranks)
  },
})

async function assertRoom(ctx: OrgStoreContext, knowledgeSpaceId: Id<'knowledgeSpaces'>): Promise<void> {
  const { length } = await store.listCases(ctx, knowledgeSpaceId)
  if (length >= KNOWLEDGE_CASES_MAX) throw new AppError('too_many_cases', { max: KNOWLEDGE_CASES_MAX })
}
