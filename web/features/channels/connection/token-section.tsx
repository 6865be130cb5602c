// Giving a connection another token, when the old one has leaked or was revoked.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { toast } from '#web/lib/toast.ts'

type TokenSectionProps = {
  /** `replaced` is shown when it is done; `required` and `format` say what is wrong with an entry. */
  texts: Record<'title' | 'body' | 'label' | 'hint' | 'required' | 'format' | 'replace' | 'replaced', string>
  placeholder?: string
  pattern: RegExp
  replace(token: string): Promise<unknown>
}

/** The provider checks the new token; what is wrong with it shows under the field. */
export function TokenSection({ texts, placeholder, pattern, replace }: TokenSectionProps) {
  const form = useForm({ defaultValues: { token: '' } })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ token }) => {
    setFailure(undefined)
    try {
      await replace(token.trim())
      form.reset()
      toast.success(texts.replaced)
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  const validate = (token: string) =>
    token.trim() === '' ? texts.required : pattern.test(token.trim()) || texts.format
  return (
    <CardSection title={texts.title} description={texts.body}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label={texts.label} hint={texts.hint} error={errors.token?.message} isRequired>
          <Input
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            className="font-mono"
            {...form.register('token', { validate })}
          />
        </Field>
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" className="self-start" isBusy={isSubmitting}>
          {texts.replace}
        </Button>
      </form>
    </CardSection>
  )
}
