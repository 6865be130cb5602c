// A word above the box when the rules for customers hold for the tester and leave few answers today.
import type { Agent } from '#shared/agents/agents.ts'
import type { AgentDay } from '#shared/organizations/billing.ts'
import { api } from '#web/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { type NearDailyLimit, nearDailyLimit } from './allowance.rules.ts'
import type { TestControls } from './use-controls.ts'
import type { Chat } from './use-test-chat.ts'

type DailyLimitNoteProps = { agent: Agent; chats: readonly Chat[]; controls: TestControls }

/** Renders nothing while enough is left, or while the rules are switched off. Of two chats, shows the one with fewer answers left. */
export function DailyLimitNote({ agent, chats, controls }: DailyLimitNoteProps) {
  const { t } = useTranslation('test-chat')
  const { timeZone } = useOrganization()
  const near = useNearest(agent, chats, controls, timeZone)
  if (!near) return null
  const left = { count: near.remaining, value: formatNumber(near.remaining) }
  return (
    <span role="status" className="block rounded-lg bg-warning-soft px-3 py-2 text-warning-soft-foreground">
      {near.of === 'agent' ? t(($) => $.allowance.agentLeft, left) : t(($) => $.allowance.customerLeft, left)}{' '}
      {t(($) => $.allowance.resetsAtMidnight, { timeZone })}
    </span>
  )
}

function useNearest(
  agent: Agent,
  chats: readonly Chat[],
  controls: TestControls,
  timeZone: string,
): NearDailyLimit | null {
  const ruled = chats.filter(({ variant }) => controls.of(variant).controls.applyRules)
  const days: AgentDay[] | undefined = useQuery(api.billing.listAgentDays, ruled.length > 0 ? {} : 'skip')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.now())
  const near = ruled.flatMap(({ state }) => {
    const customer = state?.answers ? { day: state.answers.day, answers: state.answers.count } : undefined
    const found = nearDailyLimit(agent.spam, today, {
      agent: days?.find(({ agentId }) => agentId === agent._id),
      customer,
    })
    return found ? [found] : []
  })
  return near.sort((one, other) => one.remaining - other.remaining)[0] ?? null
}
