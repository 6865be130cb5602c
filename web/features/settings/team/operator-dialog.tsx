// The dialog that sets how many conversations a member accepts at once, and the working hours.
import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { Controller, FormProvider, useForm, useFormContext } from 'react-hook-form'
import { OPERATOR_CAPACITY_MAX } from '#shared/limits.ts'
import { type Operator, type OperatorSettings, operatorSettings } from '#shared/messaging/operators.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { isNever, PRESETS, type WeekHours } from '#web/components/week/hours.rules.ts'
import { WeekGrid } from '#web/components/week/week-grid.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

/** Open while mounted. */
export function OperatorDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.team.editTitle, { name: operator.name })} className="sm:max-w-3xl">
        <OperatorForm operator={operator} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function OperatorForm({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const update = useMutation(api.organizations.operators.update)
  const { acceptsAssignments, capacity, hours } = operator
  const form = useForm<OperatorSettings>({
    resolver: zodResolver(operatorSettings),
    defaultValues: { acceptsAssignments, capacity, hours },
  })
  const { isSubmitting } = form.formState
  const submit = form.handleSubmit(async (entry) => {
    const patch = { capacity: entry.capacity, hours: entry.hours }
    const isSaved = await update({ userId: operator._id, patch }).then(
      () => true,
      () => false, // reported in a toast
    )
    if (!isSaved) return
    toast.success(t(($) => $.team.saved))
    onClose()
  })
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <CapacityField />
        <HoursField />
        <DialogFooter>
          <Button onClick={onClose}>{t(($) => $.team.cancel)}</Button>
          <Button type="submit" variant="primary" isBusy={isSubmitting}>
            {t(($) => $.team.save)}
          </Button>
        </DialogFooter>
      </form>
    </FormProvider>
  )
}

function CapacityField() {
  const { t } = useTranslation('settings')
  const { control, formState } = useFormContext<OperatorSettings>()
  return (
    <Controller
      control={control}
      name="capacity"
      render={({ field: { onChange, ...field } }) => (
        <Field
          label={t(($) => $.team.capacity)}
          hint={t(($) => $.team.capacityHint)}
          error={formState.errors.capacity && t(($) => $.team.capacityError, { max: OPERATOR_CAPACITY_MAX })}
          isRequired
        >
          <NumberInput className="sm:w-56" {...field} onValueChange={onChange} />
        </Field>
      )}
    />
  )
}

function HoursField() {
  const { t } = useTranslation('settings')
  const id = useId()
  const { timeZone } = useOrganization()
  const { control } = useFormContext<OperatorSettings>()
  return (
    <Controller
      control={control}
      name="hours"
      render={({ field: { value, onChange } }) => (
        <div className="flex flex-col gap-3">
          <div className="flex items-start justify-between gap-6">
            <div>
              <label htmlFor={id} className="font-medium">
                {t(($) => $.team.isLimited)}
              </label>
              <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground leading-5">
                {t(($) => $.team.isLimitedHint)}
              </p>
            </div>
            <Switch
              id={id}
              aria-describedby={`${id}-hint`}
              checked={value !== null}
              onCheckedChange={(isLimited) => onChange(isLimited ? PRESETS.work : null)}
            />
          </div>
          {value && <Week helpId={`${id}-help`} help={t(($) => $.team.help, { timeZone })} {...{ value, onChange }} />}
        </div>
      )}
    />
  )
}

type WeekProps = { helpId: string; help: string; value: WeekHours; onChange: (hours: WeekHours) => void }

function Week({ helpId, help, value, onChange }: WeekProps) {
  const { t } = useTranslation('settings')
  return (
    <>
      <WeekGrid label={t(($) => $.team.grid)} describedBy={helpId} value={value} onChange={onChange} />
      <p id={helpId} className="text-[0.8125rem] text-muted-foreground leading-5">
        {help}
      </p>
      {isNever(value) && <Alert tone="warning">{t(($) => $.team.never)}</Alert>}
    </>
  )
}
