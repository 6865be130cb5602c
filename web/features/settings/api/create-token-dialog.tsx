// The dialog that creates a token and shows it once.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { API_TOKEN_NAME_MAX } from '#shared/limits.ts'
import { createApiTokenInput } from '#shared/organizations/api-tokens.ts'
import { DEFAULT_SCOPES } from '#shared/organizations/policy.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { ScopeChoices } from './scope-choices.tsx'

/** Open while mounted. The token cannot be shown again after closing. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const [token, setToken] = useState<string | null>(null)
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={token ? t(($) => $.api.readyTitle) : t(($) => $.api.createTitle)}>
        {token ? <NewToken token={token} onClose={onClose} /> : <NameForm onCreated={setToken} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

function NameForm({ onCreated, onClose }: { onCreated: (token: string) => void; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const create = useAction(api.apiTokens.create)
  const form = useForm({
    resolver: zodResolver(createApiTokenInput),
    defaultValues: { name: '', scopes: [...DEFAULT_SCOPES] },
  })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (entry) => {
    const made = await create(entry).catch(() => null) // reported in a toast
    if (made) onCreated(made.token)
  })
  const tooLong = errors.name?.type === 'too_big'
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t(($) => $.api.name)}
        hint={t(($) => $.api.nameHint)}
        error={
          errors.name &&
          (tooLong ? t(($) => $.api.nameTooLong, { count: API_TOKEN_NAME_MAX }) : t(($) => $.api.nameRequired))
        }
        isRequired
      >
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      <Controller
        control={form.control}
        name="scopes"
        render={({ field: { value = [], onChange } }) => (
          <ScopeChoices value={value} onChange={onChange} error={errors.scopes && t(($) => $.api.scopeRequired)} />
        )}
      />
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.api.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => $.api.create)}
        </Button>
      </DialogFooter>
    </form>
  )
}

function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <div className="flex flex-col gap-5">
      <Alert tone="warning">{t(($) => $.api.shownOnce)}</Alert>
      <div className="flex items-center gap-2 rounded-lg border border-border bg-muted px-3 py-2">
        <code className="min-w-0 flex-1 select-all break-all text-[0.8125rem]">{token}</code>
        <CopyButton text={token} label={t(($) => $.api.copy)} />
      </div>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t(($) => $.api.done)}
        </Button>
      </DialogFooter>
    </div>
  )
}
