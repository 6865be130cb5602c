// Name and address of a program, the same for a new one and for one that is connected.
import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { httpAddressInput } from '#shared/channels/channels.ts'
import { HTTP_NAME_MAX, HTTP_URL_MAX } from '#shared/limits.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type HttpAddress = { name: string; url: string }
type HttpFormProps = {
  defaults: HttpAddress
  onSubmit: (entry: HttpAddress) => Promise<unknown>
  /** The row of buttons. */
  children: (isSubmitting: boolean) => ReactNode
}

/** What is wrong shows under the field, a refusal of the server below both. */
export function HttpForm({ defaults, onSubmit, children }: HttpFormProps) {
  const { t } = useTranslation('channels')
  const form = useForm({ resolver: zodResolver(httpAddressInput), defaultValues: defaults })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (entry) => {
    setFailure(undefined)
    await onSubmit(entry).catch((error: unknown) => setFailure(describeError(error).message))
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t(($) => $.httpForm.name)}
        hint={t(($) => $.httpForm.nameHint)}
        error={errors.name && t(($) => $.httpForm.nameRequired)}
        isRequired
      >
        <Input autoComplete="off" maxLength={HTTP_NAME_MAX} {...form.register('name')} />
      </Field>
      <Field
        label={t(($) => $.httpForm.url)}
        hint={t(($) => $.httpForm.urlHint)}
        error={errors.url && t(($) => $.httpForm.urlFormat)}
        isRequired
      >
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={HTTP_URL_MAX}
          placeholder="https://example.com/parley"
          {...form.register('url')}
        />
      </Field>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      {children(isSubmitting)}
    </form>
  )
}
