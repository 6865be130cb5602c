// The price of a model: what it is from now or from a later moment on, and what it was.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { Controller, type Path, useForm } from 'react-hook-form'
import {
  type AdminModel,
  type ModelPrice,
  modelPrice,
  PRICES_KNOWN_WITHIN_MS,
  type SetModelPrice,
} from '#shared/organizations/model-settings.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { usePriceText } from './model-item.tsx'

type PriceDialogProps = { model: AdminModel; onClose: () => void }

/** Open while mounted. */
export function PriceDialog({ model, onClose }: PriceDialogProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.models.dialog.title, { name: model.label })}
        description={t(($) => $.models.dialog.description, { seconds: formatNumber(PRICES_KNOWN_WITHIN_MS / 1000) })}
      >
        <PriceForm model={model} onClose={onClose} />
        <History model={model.name} />
      </DialogContent>
    </Dialog>
  )
}

const EMPTY = { input: null, output: null, cachedInput: null, maxInputTokens: null }

function usePriceForm({ model, onClose }: PriceDialogProps) {
  const { t } = useTranslation('admin')
  const setPrice = useMutation(api.admin.models.setPrice, { hasToast: false })
  const [failure, setFailure] = useState<string | null>(null)
  const [from, setFrom] = useState('')
  const form = useForm<ModelPrice>({
    resolver: zodResolver(modelPrice),
    defaultValues: model.price ?? (EMPTY as unknown as ModelPrice),
  })
  const save = async (price: ModelPrice | null) => {
    setFailure(null)
    try {
      await setPrice({ model: model.name, price, ...(from !== '' && { from: new Date(from).getTime() }) })
      toast.success(t(($) => $.models.dialog.saved, { name: model.label }))
      onClose()
    } catch (error) {
      setFailure(describeError(error).message)
    }
  }
  return { form, failure, from, setFrom, save }
}

function PriceForm({ model, onClose }: PriceDialogProps) {
  const { t } = useTranslation(['admin', 'common'])
  const { form, failure, from, setFrom, save } = usePriceForm({ model, onClose })
  const { isSubmitting } = form.formState
  return (
    <form noValidate onSubmit={form.handleSubmit(save)} className="flex flex-col gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField form={form} name="input" isRequired />
        <NumberField form={form} name="output" isRequired />
        <NumberField form={form} name="cachedInput" />
        <NumberField form={form} name="maxInputTokens" />
      </div>
      <Field label={t(($) => $.models.dialog.from)} hint={t(($) => $.models.dialog.fromHint)}>
        <Input type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
      </Field>
      {failure !== null && <Alert tone="destructive">{failure}</Alert>}
      <DialogFooter>
        {model.setFrom !== null && (
          <Button type="button" isBusy={isSubmitting} onClick={() => void save(null)}>
            {t(($) => $.models.dialog.useList)}
          </Button>
        )}
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => $.models.dialog.save)}
        </Button>
      </DialogFooter>
    </form>
  )
}

type PriceFormApi = ReturnType<typeof usePriceForm>['form']

function NumberField({
  form,
  name,
  isRequired = false,
}: {
  form: PriceFormApi
  name: Path<ModelPrice>
  isRequired?: boolean
}) {
  const { t } = useTranslation('admin')
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <Field
          label={t(($) => $.models.dialog[name])}
          hint={t(($) => $.models.dialog.hints[name])}
          error={fieldState.error && t(($) => $.models.dialog.errors[name === 'maxInputTokens' ? 'tokens' : 'price'])}
          isRequired={isRequired}
        >
          <NumberInput ref={field.ref} value={field.value} onValueChange={field.onChange} onBlur={field.onBlur} />
        </Field>
      )}
    />
  )
}

function History({ model }: { model: string }) {
  const { t } = useTranslation('admin')
  const priceText = usePriceText()
  const prices: SetModelPrice[] = useQuery(api.admin.models.prices, { model }) ?? []
  if (prices.length === 0) return null
  return (
    <section className="mt-6 border-border border-t pt-4">
      <h3 className="mb-2 font-medium">{t(($) => $.models.dialog.history)}</h3>
      <ul className="flex flex-col gap-2 text-[0.8125rem] tabular-nums">
        {prices.map(({ price, from, author }) => (
          <li key={from}>
            <span className="block">{price ? priceText(price) : t(($) => $.models.listPrice)}</span>
            <span className="text-muted-foreground">
              {[t(($) => $.models.dialog.since, { time: formatDateTime(from) }), author].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
