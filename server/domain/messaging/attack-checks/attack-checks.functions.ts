// Attack checks of an agent: begun and cancelled by people, and live while they run.
import { getAgent } from '#server/domain/agents/agents.store.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  attackCasesInput,
  attackCheckInput,
  attackChecksInput,
  startAttackCheckInput,
} from '#shared/messaging/attack-checks.ts'
import { attackCheckJob } from './attack-checks.job.ts'
import * as store from './attack-checks.store.ts'

/** Checks of an agent, the newest first. @throws agent_unavailable */
export const list = orgQuery({
  args: attackChecksInput,
  handler: async (ctx, { agentId }) => {
    await getAgent(ctx, agentId)
    return store.listChecks(ctx, agentId)
  },
})

/** What has become of each attack of a check so far, or of those with one outcome. @throws not_found */
export const cases = orgQuery({
  args: attackCasesInput,
  handler: async (ctx, { checkId, outcome }) => {
    await store.getCheck(ctx, checkId)
    return store.listCases(ctx, checkId, outcome)
  },
})

/** Begins a check of an agent as it was saved last. @throws agent_unavailable; attack_check_running */
export const start = orgMutation({
  args: startAttackCheckInput,
  handler: async (ctx, { agentId, size }) => {
    const { version, model } = await getAgent(ctx, agentId)
    const { userId } = ctx.caller
    const begun = { agentId, size, agentVersion: version, model, userId, now: ctx.now }
    const checkId = await store.insertCheck(ctx, begun)
    await ctx.jobs.send(ctx.db, attackCheckJob, { organizationId: ctx.organizationId, checkId })
    return checkId
  },
})

/** Cancels a check; what was found so far stays. @throws not_found; attack_check_ended */
export const cancel = orgMutation({
  args: attackCheckInput,
  handler: async (ctx, { checkId }) => {
    await store.getCheck(ctx, checkId)
    if (!(await store.endCheck(ctx, checkId, { status: 'cancelled', now: ctx.now })))
      throw new AppError('attack_check_ended')
    return null
  },
})
