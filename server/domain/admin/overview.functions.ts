// What the whole installation uses and costs, for its administrators.
import { adminQuery } from '#server/functions/define.ts'
import { type InstallationOverview, OVERVIEW_RANGES, overviewInput } from '#shared/organizations/overview.ts'
import { countRows, findSummed, listModelDays, listTopOrganizations } from './overview.read.store.ts'
import { overviewOf, spanOf } from './overview.rules.ts'

/** Live, at most once a second: every message changes it. */
export const get = adminQuery({
  args: overviewInput,
  restMs: 1_000,
  handler: async (ctx, { range }): Promise<InstallationOverview> => {
    const { start, middle, end } = spanOf(OVERVIEW_RANGES[range], Date.now())
    const summed = await findSummed(ctx)
    const rows = await listModelDays(ctx, { from: start, until: end }, summed)
    const { active, top } = await listTopOrganizations(ctx, { from: middle, until: end }, summed)
    const [since, between] = [new Date(start), new Date(middle)]
    return {
      ...overviewOf(rows, { middle, end }),
      organizations: { ...(await countRows(ctx, 'organizations', since, between)), active },
      members: await countRows(ctx, 'users', since, between),
      topOrganizations: top,
    }
  },
})
