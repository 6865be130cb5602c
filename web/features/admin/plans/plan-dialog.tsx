// The dialog in which a plan is created or changed.
import { useState } from 'react'
import {
  type AdminPlan,
  PLAN_DESCRIPTION_MAX,
  PLAN_NAME_MAX,
  PLAN_SLUG_MAX,
} from '#shared/organizations/admin-plans.ts'
import { CURRENCIES } from '#shared/organizations/plans.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { describeCode, describeError } from '#web/lib/errors.ts'
import { formatCurrency } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { type CountField, type DraftFault, draftOf, faultOf, fieldsOf, type PlanDraft } from './plan-draft.ts'

type PlanDialogProps = {
  /** Null: a new one. */
  plan: AdminPlan | null
  onClose: () => void
}

/** Open while mounted. */
export function PlanDialog({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={plan ? t(($) => $.plans.editTitle, { name: plan.name }) : t(($) => $.plans.createTitle)}>
        <PlanForm plan={plan} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function PlanForm({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation(['admin', 'common'])
  const { draft, change, fault, failure, isBusy, submit } = usePlanForm(plan, onClose)
  const error = (field: keyof PlanDraft) => (fault?.field === field ? fault.text : undefined)
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t(($) => $.plans.fields.name)} error={error('name')} isRequired>
          <Input
            maxLength={PLAN_NAME_MAX}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field
          label={t(($) => $.plans.fields.slug)}
          hint={t(($) => $.plans.hints.slug)}
          error={error('slug')}
          isRequired
        >
          <Input
            maxLength={PLAN_SLUG_MAX}
            autoCapitalize="none"
            spellCheck={false}
            readOnly={plan !== null}
            value={draft.slug}
            onChange={(event) => change({ slug: event.target.value })}
          />
        </Field>
      </div>
      <Field label={t(($) => $.plans.fields.description)} hint={t(($) => $.plans.hints.description)} isOptional>
        <Textarea
          className="max-h-40"
          maxLength={PLAN_DESCRIPTION_MAX}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <Numbers draft={draft} change={change} error={error} />
      <Features draft={draft} change={change} />
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.action.cancel, { ns: 'common' })}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {plan ? t(($) => $.plans.save) : t(($) => $.plans.create)}
        </Button>
      </DialogFooter>
    </form>
  )
}

type PartProps = { draft: PlanDraft; change: (patch: Partial<PlanDraft>) => void }
type NumbersProps = PartProps & { error: (field: keyof PlanDraft) => string | undefined }

function Numbers({ draft, change, error }: NumbersProps) {
  const { t } = useTranslation('admin')
  const fields: (CountField | 'sortOrder')[] = ['messages', 'members', 'channelSlots', 'sortOrder']
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={t(($) => $.plans.fields.price)} hint={t(($) => $.plans.hints.price)} error={error('price')}>
        <NumberInput value={draft.price} onValueChange={(price) => change({ price })} />
      </Field>
      <Field label={t(($) => $.plans.fields.currency)}>
        <Select
          value={draft.currency}
          onValueChange={(next) => change({ currency: CURRENCIES.find((each) => each === next) ?? draft.currency })}
          options={CURRENCIES.map((each) => ({ value: each, label: formatCurrency(each) }))}
        />
      </Field>
      {fields.map((field) => (
        <Field
          key={field}
          label={t(($) => $.plans.fields[field])}
          hint={t(($) => $.plans.hints[field])}
          error={error(field)}
        >
          <NumberInput value={draft[field]} onValueChange={(value) => change({ [field]: value })} />
        </Field>
      ))}
    </div>
  )
}

function Features({ draft, change }: PartProps) {
  const { t } = useTranslation('admin')
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {(['featuresRu', 'featuresEn'] as const).map((field) => (
        <Field key={field} label={t(($) => $.plans.fields[field])} hint={t(($) => $.plans.hints.features)}>
          <Textarea
            className="max-h-60"
            value={draft[field]}
            onChange={(event) => change({ [field]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  )
}

function usePlanForm(plan: AdminPlan | null, onClose: () => void) {
  const { t } = useTranslation('admin')
  const create = useMutation(api.admin.plans.create, { hasToast: false })
  const update = useMutation(api.admin.plans.update, { hasToast: false })
  const [draft, setDraft] = useState(() => draftOf(plan))
  const [fault, setFault] = useState<DraftFault>()
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function submit() {
    const found = faultOf(draft)
    setFault(found)
    setFailure(null)
    if (found) return
    const { name, ...fields } = fieldsOf(draft)
    setBusy(true)
    try {
      await (plan
        ? update({ slug: plan.slug, patch: { name, ...fields } })
        : create({ slug: draft.slug.trim(), name, ...fields }))
      toast.success(t(($) => (plan ? $.plans.saved : $.plans.created), { name }))
      onClose()
    } catch (error) {
      setFailure(describeError(error).message)
    } finally {
      setBusy(false)
    }
  }
  function change(patch: Partial<PlanDraft>) {
    setDraft((before) => ({ ...before, ...patch }))
    if (fault && fault.field in patch) setFault(undefined)
  }
  const text = fault && (fault.code === 'number' ? t(($) => $.plans.invalidNumber) : describeCode(fault.code))
  return { draft, change, fault: fault && { field: fault.field, text }, failure, isBusy, submit }
}
