// What was spent, from the sums of the plan.
import type { UsageSum } from '#server/domain/billing/billing.rules.ts'
import type { AnalyticsOverview, Spent } from '#shared/analytics/analytics.ts'
import { usesAllowance } from '#shared/organizations/billing.ts'

/** Test chats apart from everything else. */
export function spendOf(sums: readonly UsageSum[]): AnalyticsOverview['spend'] {
  const isTest = ({ category }: UsageSum) => category === 'test_message'
  return { customers: totalOf(sums.filter((sum) => !isTest(sum))), test: totalOf(sums.filter(isTest)) }
}

function totalOf(sums: readonly UsageSum[]): Spent {
  const total = (value: (sum: UsageSum) => number) => sums.reduce((all, sum) => all + value(sum), 0)
  return {
    messages: total((sum) => (usesAllowance(sum.category) ? sum.messages : 0)),
    costMicroUsd: total((sum) => sum.costMicroUsd),
    unpricedCalls: total((sum) => sum.unpricedCalls),
  }
}
