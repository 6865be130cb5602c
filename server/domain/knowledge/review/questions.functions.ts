// Whether a model writes questions for the passages of a space, and how far it is. Writing them: questions.job.ts.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { spaceInput } from '#shared/knowledge/knowledge.ts'
import { setQuestionsInput } from '#shared/knowledge/knowledge-search.ts'
import { askQuestionsJob } from './questions.job.ts'
import * as store from './questions.store.ts'

/** Live while questions are written. @throws not_found */
export const progress = orgQuery({
  args: spaceInput,
  handler: (ctx, { knowledgeSpaceId }) => store.getQuestionProgress(ctx, knowledgeSpaceId),
})

/** Off: no further questions are written, those that are there stay. Safe to repeat. @throws not_found */
export const set = orgMutation({
  args: setQuestionsInput,
  handler: async (ctx, { knowledgeSpaceId, isOn }) => {
    await store.setQuestions(ctx, knowledgeSpaceId, isOn)
    if (isOn) await ctx.jobs.send(ctx.db, askQuestionsJob, {})
    return null
  },
})
