// The plans of the installation in their order, and what can be done with each.
import { useState } from 'react'
import type { AdminPlan } from '#shared/organizations/admin-plans.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { type PlanAct, PlanQuestion } from './plan-question.tsx'
import { PlanRow } from './plan-row.tsx'

type Open = { kind: 'form'; plan: AdminPlan | null } | { kind: 'question'; act: PlanAct; plan: AdminPlan }

/** A list in the order in which organizations see it. */
export function PlansSection() {
  const { t } = useTranslation('admin')
  const plans: AdminPlan[] | undefined = useQuery(api.admin.plans.list, {})
  const [open, setOpen] = useState<Open | null>(null)
  const { move, isMoving, announced } = useMoving(plans ?? [])
  const close = () => setOpen(null)
  return (
    <CardSection
      title={t(($) => $.plans.title)}
      description={t(($) => $.plans.description)}
      actions={
        <Button variant="primary" onClick={() => setOpen({ kind: 'form', plan: null })}>
          {t(($) => $.plans.create)}
        </Button>
      }
    >
      {plans ? (
        <ol className="divide-y divide-border" aria-label={t(($) => $.plans.title)}>
          {plans.map((plan, at) => (
            <PlanRow
              key={plan.slug}
              plan={plan}
              isFirst={at === 0}
              isLast={at === plans.length - 1}
              isMoving={isMoving}
              onMove={(by) => void move(at, by)}
              onEdit={() => setOpen({ kind: 'form', plan })}
              onAsk={(act) => setOpen({ kind: 'question', act, plan })}
            />
          ))}
        </ol>
      ) : (
        <Delayed>
          <Skeleton className="h-64" />
        </Delayed>
      )}
      <p role="status" className="sr-only">
        {announced}
      </p>
      {open?.kind === 'form' && <PlanDialog plan={open.plan} onClose={close} />}
      {open?.kind === 'question' && <PlanQuestion act={open.act} plan={open.plan} onClose={close} />}
    </CardSection>
  )
}

/** Moves a plan past its neighbour; where it stands then is announced. */
function useMoving(plans: AdminPlan[]) {
  const { t } = useTranslation('admin')
  const reorder = useMutation(api.admin.plans.reorder)
  const [isMoving, setMoving] = useState(false)
  const [announced, announce] = useState('')
  async function move(from: number, by: -1 | 1) {
    const moved = plans[from]
    const to = from + by
    if (!moved || isMoving || to < 0 || to >= plans.length) return
    const slugs = plans.map(({ slug }) => slug)
    slugs.splice(from, 1)
    slugs.splice(to, 0, moved.slug)
    setMoving(true)
    const isDone = await reorder({ slugs }).then(
      () => true,
      () => false, // reported in a toast
    )
    setMoving(false)
    if (isDone) announce(t(($) => $.plans.moved, { name: moved.name, place: to + 1, count: plans.length }))
  }
  return { move, isMoving, announced }
}
