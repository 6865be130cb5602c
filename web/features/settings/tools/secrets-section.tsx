// The vault: secrets go in by name and host, and are never shown.
import { KeyRound, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { ToolSecret } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation, useQuery } from '#web/lib/server/convex.ts'
import { WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'

/** The list has names, never values. */
export function SecretsSection() {
  const { t } = useTranslation('tools')
  const secrets: ToolSecret[] | undefined = useQuery(api.tools.vault.secrets, {})
  const [removed, setRemoved] = useState<ToolSecret | null>(null)
  return (
    <CardSection title={t(($) => $.secrets.title)} description={t(($) => $.secrets.description)}>
      <WritableBy permission="keys.write" isQuiet>
        <SetSecret />
        {secrets?.length === 0 && <p className="mt-4 text-muted-foreground">{t(($) => $.secrets.none)}</p>}
        <ul className="mt-4 divide-y divide-border empty:hidden">
          {secrets?.map((secret) => (
            <li key={secret._id} className="flex items-center gap-3 py-2">
              <KeyRound aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
              <div className="min-w-0 flex-1">
                <p className="break-words font-medium">{secret.name}</p>
                <p className="break-all text-[0.8125rem] text-muted-foreground">
                  {t(($) => $.secrets.of, { host: secret.host })} <DateTime at={secret.updatedAt} />
                </p>
              </div>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t(($) => $.secrets.remove, { name: secret.name })}
                onClick={() => setRemoved(secret)}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
        {removed && <RemoveSecret secret={removed} onClose={() => setRemoved(null)} />}
      </WritableBy>
    </CardSection>
  )
}

function RemoveSecret({ secret, onClose }: { secret: ToolSecret; onClose: () => void }) {
  const { t } = useTranslation('tools')
  const remove = useMutation(api.tools.vault.removeSecret)
  return (
    <ConfirmDialog
      title={t(($) => $.secrets.removeTitle, { name: secret.name })}
      description={t(($) => $.secrets.removeBody)}
      confirmLabel={t(($) => $.form.delete)}
      onConfirm={async () => {
        await remove({ secretId: secret._id })
      }}
      onClose={onClose}
      isDestructive
    />
  )
}

const EMPTY = { name: '', host: '', value: '' }

function SetSecret() {
  const { t } = useTranslation('tools')
  const set = useAction(api.tools.vault.setSecret, { hasToast: false })
  const [entry, setEntry] = useState(EMPTY)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (Object.values(entry).some((text) => text.trim() === '')) return setError(t(($) => $.secrets.allRequired))
    try {
      await set(entry)
      setEntry(EMPTY)
      setError(undefined)
      toast.success(t(($) => $.secrets.saved))
    } catch (failure) {
      setError(describeError(failure).message)
    }
  }
  const control = (key: keyof typeof EMPTY) => ({
    value: entry[key],
    onChange: (event: { target: { value: string } }) => setEntry({ ...entry, [key]: event.target.value }),
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid items-start gap-3 sm:grid-cols-2">
      <Field label={t(($) => $.secrets.name)} hint={t(($) => $.secrets.nameHint)}>
        <Input {...control('name')} />
      </Field>
      <Field label={t(($) => $.secrets.host)} hint={t(($) => $.secrets.hostHint)}>
        <Input {...control('host')} />
      </Field>
      <Field label={t(($) => $.secrets.value)} hint={t(($) => $.secrets.valueHint)} error={error}>
        <Input {...control('value')} type="password" autoComplete="new-password" />
      </Field>
      <Button type="submit" className="justify-self-start sm:mt-7">
        {t(($) => $.secrets.save)}
      </Button>
    </form>
  )
}
