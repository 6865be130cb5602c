// Notes proposed from the replies of operators: the waiting ones, and decisions about them. proposals.job.ts proposes them.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { approveProposalInput, proposalInput, proposalsInput, setLearningInput } from '#shared/knowledge/proposals.ts'
import { noArgs } from '#shared/schema.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { proposeNotesJob } from './proposals.job.ts'
import * as store from './proposals.store.ts'
import { makeNote, unmakeNote } from './proposals.write.ts'

/** The waiting proposals of a space, those asked for by most conversations first. @throws not_found */
export const list = orgQuery({
  args: proposalsInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listWaiting(ctx, knowledgeSpaceId)
  },
})

/** Spaces in which proposals wait, oldest space first. */
export const waiting = orgQuery({
  args: noArgs,
  handler: (ctx) => store.countWaiting(ctx),
})

/** Whether a space learns from replies, and whether any agent could learn. @throws not_found */
export const learning = orgQuery({
  args: proposalsInput,
  handler: (ctx, { knowledgeSpaceId }) => store.getLearning(ctx, knowledgeSpaceId),
})

/** Off: nothing more is proposed; waiting proposals stay. Safe to repeat. @throws not_found */
export const setLearning = orgMutation({
  args: setLearningInput,
  handler: async (ctx, { knowledgeSpaceId, isOn }) => {
    await store.setLearning(ctx, knowledgeSpaceId, isOn)
    if (isOn) await ctx.jobs.send(ctx.db, proposeNotesJob, {})
    return null
  },
})

/** Makes a note of a proposal. It is found from the commit on. @throws not_found, also when it was decided already */
export const approve = orgMutation({
  args: approveProposalInput,
  handler: async (ctx, { proposalId, ...approved }) => {
    const proposal = await store.getProposal(ctx, proposalId)
    if (proposal.state !== 'waiting') throw new AppError('not_found')
    await assertSpace(ctx, proposal.knowledge_space_id)
    const undo = await makeNote(ctx, proposal, approved)
    await store.decide(ctx, proposalId, { from: 'waiting', to: 'approved', undo, at: ctx.now })
    return null
  },
})

/** Rejects a proposal permanently: nothing like it is proposed again. @throws not_found, also when it was decided already */
export const reject = orgMutation({
  args: proposalInput,
  handler: async (ctx, { proposalId }) => {
    await store.decide(ctx, proposalId, { from: 'waiting', to: 'rejected', undo: null, at: ctx.now })
    return null
  },
})

/** Undoes a decision: the proposal waits again, and the changes of an approval are reverted. @throws not_found */
export const reopen = orgMutation({
  args: proposalInput,
  handler: async (ctx, { proposalId }) => {
    const { state, undo } = await store.getProposal(ctx, proposalId)
    if (state !== 'approved' && state !== 'rejected') throw new AppError('not_found')
    if (undo) await unmakeNote(ctx, undo)
    await store.decide(ctx, proposalId, { from: state, to: 'waiting', undo: null, at: ctx.now })
    return null
  },
})
