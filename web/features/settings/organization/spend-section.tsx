// What each agent has used this month: messages, tokens, money.
import type { ReactNode } from 'react'
import type { AgentSpend, Spend } from '#shared/organizations/billing.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useAnchor } from '#web/components/use-anchor.ts'
import { formatCost, formatNumber, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMonthSpend } from '#web/lib/use-month-spend.ts'

/** Also the anchor in the address. */
const ID = 'spending'
const NUMBER = 'py-2.5 ps-3 text-end align-top tabular-nums'

/** Live. The dearest first; tokens only where there is room. A link to it shows it once it is there. */
export function SpendSection() {
  const { t } = useTranslation('settings')
  const spend = useMonthSpend()
  useAnchor(ID, spend !== undefined)
  return (
    <CardSection id={ID} title={t(($) => $.spend.title)} description={t(($) => $.spend.description)}>
      {spend ? (
        <table className="w-full text-sm">
          <thead className="border-border border-b text-[0.8125rem] text-muted-foreground">
            <tr>
              <th scope="col" className="pb-2 text-start font-medium">
                {t(($) => $.spend.agent)}
              </th>
              <th scope="col" className="ps-3 pb-2 text-end font-medium">
                {t(($) => $.spend.messages)}
              </th>
              <th scope="col" className="ps-3 pb-2 text-end font-medium max-sm:hidden">
                {t(($) => $.spend.tokens)}
              </th>
              <th scope="col" className="ps-3 pb-2 text-end font-medium">
                {t(($) => $.spend.cost)}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {spend.agents.map((agent) => (
              <SpendRow key={agent.agentId} spend={agent} limitUsd={agent.limitUsd}>
                <AgentName agent={agent} />
              </SpendRow>
            ))}
          </tbody>
          <tfoot className="border-border border-t font-medium">
            <SpendRow spend={spend.total} limitUsd={spend.limitUsd}>
              {t(($) => $.spend.total)}
            </SpendRow>
          </tfoot>
        </table>
      ) : (
        <Delayed>
          <Skeleton className="h-24" />
        </Delayed>
      )}
    </CardSection>
  )
}

function AgentName({ agent: { agentId, name, isDeleted } }: { agent: AgentSpend }) {
  const { t } = useTranslation('settings')
  if (agentId === null) {
    return (
      <>
        {t(($) => $.spend.noAgent)}
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.spend.noAgentHint)}</p>
      </>
    )
  }
  return (
    <>
      {name}
      {isDeleted && <span className="text-muted-foreground"> ({t(($) => $.spend.deleted)})</span>}
    </>
  )
}

type SpendRowProps = { spend: Spend; limitUsd: number | null; children: ReactNode }

function SpendRow({ spend, limitUsd, children }: SpendRowProps) {
  const { t } = useTranslation('settings')
  const { messages, tokens, costUsd, unpricedCalls } = spend
  const isUnknown = costUsd === 0 && unpricedCalls > 0
  return (
    <tr>
      <th scope="row" className="break-words py-2.5 text-start align-top font-[inherit]">
        {children}
      </th>
      <td className={NUMBER}>{formatNumber(messages)}</td>
      <td className={`${NUMBER} max-sm:hidden`}>{formatNumber(tokens)}</td>
      <td className={NUMBER}>
        {isUnknown ? t(($) => $.spend.unknown) : formatCost(costUsd)}
        {limitUsd !== null && (
          <p className="font-normal text-[0.8125rem] text-muted-foreground">
            {t(($) => $.spend.ofLimit, { limit: formatUsd(limitUsd, 2) })}
          </p>
        )}
        {unpricedCalls > 0 && (
          <p className="font-normal text-[0.8125rem] text-muted-foreground">
            {t(($) => $.spend.unpriced, { count: unpricedCalls, value: formatNumber(unpricedCalls) })}
          </p>
        )}
      </td>
    </tr>
  )
}
