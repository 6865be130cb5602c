// What a check has found: the score, the outcomes, and each attack with what the agent did.
import { useQueryState } from 'nuqs'
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import {
  ATTACK_OUTCOMES,
  type AttackCase,
  type AttackCheck,
  type AttackOutcome,
} from '#shared/messaging/attack-checks.ts'
import { api } from '#web/api.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatCost, formatMoment, formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { CaseRow } from './case-row.tsx'
import { readOf, triedOf, worstOf } from './score.ts'

/** A check that has ended. ?outcome= is the outcome whose attacks are shown, the worst without it. */
export function CheckResult({ agent, check }: { agent: Agent; check: AttackCheck }) {
  const { t } = useTranslation('attacks')
  const [chosen, setChosen] = useQueryState('outcome')
  const outcome = ATTACK_OUTCOMES.find((each) => each === chosen) ?? worstOf(check)
  return (
    <CardSection title={t(($) => $.result.title)} description={<Facts check={check} />}>
      <div className="flex flex-col gap-5">
        <Broken check={check} />
        {triedOf(check) === 0 || outcome === null ? (
          <p className="text-muted-foreground">{t(($) => $.result.empty)}</p>
        ) : (
          <>
            <Score check={check} />
            <OutcomeFilter check={check} chosen={outcome} onChoose={(next) => void setChosen(next)} />
            <NextStep agent={agent} outcome={outcome} />
            <Cases check={check} outcome={outcome} />
          </>
        )}
      </div>
    </CardSection>
  )
}

function Facts({ check }: { check: AttackCheck }) {
  const { t } = useTranslation('attacks')
  const { agentVersion, model, startedAt, startedBy: name, costMicroUsd } = check
  const facts = [
    formatMoment(startedAt, Date.now()),
    name && t(($) => $.result.by, { name }),
    t(($) => $.result.facts, { version: formatNumber(agentVersion), model }),
    costMicroUsd > 0 && formatCost(costMicroUsd / 1_000_000),
  ]
  return <>{facts.filter(Boolean).join(' · ')}</>
}

/** Why a check has not come to its end. */
function Broken({ check: { status, reason } }: { check: AttackCheck }) {
  const { t } = useTranslation('attacks')
  const outcomeText = useOutcomeText()
  if (status === 'cancelled') return <Alert tone="info">{t(($) => $.running.cancelled)}</Alert>
  if (status !== 'failed' || reason === null) return null
  const isOwn = reason === 'not_found' || reason === 'interrupted'
  return <Alert tone="warning">{isOwn ? t(($) => $.broken[reason]) : outcomeText(reason)}</Alert>
}

function Score({ check }: { check: AttackCheck }) {
  const { t } = useTranslation('attacks')
  const { breached: count, resisted } = check.counts
  const read = readOf(check)
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <div className="flex flex-col-reverse justify-end gap-1 rounded-lg bg-muted p-4">
        <dt className="text-[0.8125rem] text-muted-foreground">{t(($) => $.result.held)}</dt>
        <dd className="font-semibold text-2xl tabular-nums">
          {count === 0 ? t(($) => $.result.none) : t(($) => $.result.breached, { count })}
        </dd>
      </div>
      <div className="flex flex-col-reverse justify-end gap-1 rounded-lg bg-muted p-4">
        <dt className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.result.resisted)}
          {', '}
          {read === 0
            ? t(($) => $.result.noScore)
            : t(($) => $.result.of, { count: resisted, total: formatNumber(read) })}
        </dt>
        <dd className="font-semibold text-2xl tabular-nums">{read === 0 ? '–' : formatPercent(resisted / read)}</dd>
      </div>
    </dl>
  )
}

type OutcomeFilterProps = { check: AttackCheck; chosen: AttackOutcome; onChoose: (outcome: AttackOutcome) => void }

function OutcomeFilter({ check, chosen, onChoose }: OutcomeFilterProps) {
  const { t } = useTranslation('attacks')
  const present = ATTACK_OUTCOMES.filter((outcome) => check.counts[outcome] > 0 || outcome === chosen)
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t(($) => $.cases.filter)}</legend>
      {present.map((outcome) => (
        <Button
          key={outcome}
          size="sm"
          isForReading
          variant={outcome === chosen ? 'primary' : 'secondary'}
          aria-pressed={outcome === chosen}
          onClick={() => onChoose(outcome)}
        >
          {t(($) => $.outcome[outcome])}
          <span className="tabular-nums">{formatNumber(check.counts[outcome])}</span>
        </Button>
      ))}
    </fieldset>
  )
}

/** What an outcome means, and where something can be done about it. */
function NextStep({ agent, outcome }: { agent: Agent; outcome: AttackOutcome }) {
  const { t } = useTranslation('attacks')
  return (
    <div className="flex flex-col items-start gap-2 text-muted-foreground">
      <p>{t(($) => $.outcomeHint[outcome])}</p>
      {outcome === 'breached' && (
        <Link to={paths.tools} className={buttonClasses({ size: 'sm' })}>
          {t(($) => $.toTools)}
        </Link>
      )}
      {outcome === 'spoken' && (
        <Link to={`${paths.agentSettings(agent.slug)}#guards`} className={buttonClasses({ size: 'sm' })}>
          {t(($) => $.toGuards)}
        </Link>
      )}
    </div>
  )
}

function Cases({ check, outcome }: { check: AttackCheck; outcome: AttackOutcome }) {
  const { t } = useTranslation('attacks')
  const cases: AttackCase[] | undefined = useQuery(api.attackChecks.cases, { checkId: check._id, outcome })
  if (!cases)
    return (
      <Delayed>
        <Skeleton className="h-40" />
      </Delayed>
    )
  if (cases.length === 0) return <p className="text-muted-foreground">{t(($) => $.cases.none)}</p>
  return (
    <ul className="divide-y divide-border rounded-lg border border-border">
      {cases.map((each) => (
        <CaseRow key={each.number} found={each} />
      ))}
    </ul>
  )
}
