// Hosts that tools may call: added by name, removed at once.
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { ToolHost } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { WritableBy } from '#web/lib/sign-in/permissions.tsx'

/** A tool whose host is not listed calls nothing. */
export function HostsSection() {
  const { t } = useTranslation('tools')
  const hosts: ToolHost[] | undefined = useQuery(api.tools.vault.hosts, {})
  const remove = useMutation(api.tools.vault.removeHost)
  return (
    <CardSection title={t(($) => $.hosts.title)} description={t(($) => $.hosts.description)}>
      <WritableBy permission="keys.write">
        <AddHost />
        {hosts?.length === 0 && <p className="mt-4 text-muted-foreground">{t(($) => $.hosts.none)}</p>}
        <ul className="mt-4 divide-y divide-border empty:hidden">
          {hosts?.map(({ host }) => (
            <li key={host} className="flex items-center justify-between gap-3 py-2">
              <code className="min-w-0 break-all">{host}</code>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t(($) => $.hosts.remove, { host })}
                onClick={() => void remove({ host }).catch(() => undefined) /* reported in a toast */}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      </WritableBy>
    </CardSection>
  )
}

function AddHost() {
  const { t } = useTranslation('tools')
  const add = useMutation(api.tools.vault.addHost, { hasToast: false })
  const [host, setHost] = useState('')
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (host.trim() === '') return setError(t(($) => $.form.required))
    try {
      await add({ host })
      setHost('')
      setError(undefined)
    } catch (failure) {
      setError(describeError(failure).message)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-wrap items-start gap-3">
      <Field
        className="min-w-0 flex-1 basis-56"
        label={t(($) => $.hosts.host)}
        hint={t(($) => $.hosts.hint)}
        error={error}
      >
        <Input value={host} onChange={(event) => setHost(event.target.value)} autoComplete="off" spellCheck={false} />
      </Field>
      <Button type="submit" className="mt-7">
        {t(($) => $.hosts.add)}
      </Button>
    </form>
  )
}
