// Plan and monthly limit of an organization, changed where they are shown.
import { Check } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { type AdminOrganization, isMonthlyLimit, type PlanChoice } from '#shared/organizations/admin.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { describeCode, describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { useChosen } from '../use-chosen.ts'

/** An option needs a value. No slug has a sign like this. */
const NONE = '-'

/** A plan that is not offered any more stays until another is chosen. */
export function PlanField({ organization, plans }: { organization: AdminOrganization; plans: PlanChoice[] }) {
  const { t } = useTranslation('admin')
  const setPlan = useMutation(api.admin.organizations.setPlan)
  const { _id: organizationId, name, plan } = organization
  const { shown, choose, drop } = useChosen(plan?.slug ?? null)
  const offered = plans.filter(({ slug, isArchived }) => !isArchived || slug === plan?.slug)
  const isUnknown = plan !== null && !plans.some(({ slug }) => slug === plan.slug)
  const choices = isUnknown ? [{ ...plan, isArchived: true }, ...offered] : offered

  function change(next: string) {
    const planSlug = next === NONE ? null : next
    if (planSlug === shown) return
    choose(planSlug)
    setPlan({ organizationId, planSlug }).then(
      () => toast.success(t(($) => $.organizations.planSaved, { name })),
      drop, // reported in a toast
    )
  }
  return (
    <Select
      aria-label={t(($) => $.organizations.planOf, { name })}
      value={shown ?? NONE}
      onValueChange={change}
      options={[
        { value: NONE, label: t(($) => $.organizations.noPlan) },
        ...choices.map((each) => ({
          value: each.slug,
          label: each.name,
          ...(each.isArchived && { hint: t(($) => $.organizations.archived) }),
        })),
      ]}
    />
  )
}

/** Enter or the button saves it, Esc takes back what is typed. Empty: as the plan says. */
export function LimitField({ organization }: { organization: AdminOrganization }) {
  const { t } = useTranslation('admin')
  const id = useId()
  const { name, monthlyLimit, allowance } = organization
  const { typed, isDirty, isBusy, error, type, save } = useLimit(organization)
  const byPlan = monthlyLimit === null ? allowance : null
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="flex gap-1">
        <NumberInput
          className="min-w-0 flex-1"
          aria-label={t(($) => $.organizations.limitOf, { name })}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : id}
          placeholder={
            byPlan === null
              ? t(($) => $.organizations.unlimited)
              : t(($) => $.organizations.byPlan, { value: formatNumber(byPlan) })
          }
          value={typed}
          onValueChange={type}
          onKeyDown={(event) => event.key === 'Escape' && type(undefined)}
        />
        {isDirty && (
          <Button
            type="submit"
            variant="primary"
            size="icon"
            isBusy={isBusy}
            aria-label={t(($) => $.organizations.saveLimit, { name })}
          >
            {!isBusy && <Check aria-hidden="true" />}
          </Button>
        )}
      </div>
      {error !== null && (
        <p id={id} role="alert" className="mt-1 text-[0.8125rem] text-destructive-soft-foreground leading-5">
          {error}
        </p>
      )}
    </form>
  )
}

function useLimit({ _id: organizationId, name, monthlyLimit }: AdminOrganization) {
  const { t } = useTranslation('admin')
  const setLimit = useMutation(api.admin.organizations.setMonthlyLimit, { hasToast: false })
  const { shown, choose } = useChosen(monthlyLimit)
  /** undefined: nothing is being typed. */
  const [draft, setDraft] = useState<number | null | undefined>(undefined)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const typed = draft === undefined ? shown : draft
  const isDirty = !Object.is(typed, shown)
  async function save() {
    if (!isDirty || isBusy) return
    if (!isMonthlyLimit(typed)) return setError(describeCode('invalid_limit'))
    setBusy(true)
    try {
      await setLimit({ organizationId, monthlyLimit: typed })
      choose(typed)
      setDraft(undefined)
      toast.success(t(($) => $.organizations.limitSaved, { name }))
    } catch (failure) {
      setError(describeError(failure).message)
    } finally {
      setBusy(false)
    }
  }
  function type(next: number | null | undefined) {
    setDraft(next)
    setError(null)
  }
  return { typed, isDirty, isBusy, error, type, save }
}
