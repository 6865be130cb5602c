// Deleting the organization, for its owner.
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useAction, useQuery } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { useCurrentUser, useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { fetchTwoStep, TWO_STEP_KEY } from '#web/lib/sign-in/two-step.ts'

const COUNTED = ['agents', 'conversations', 'customers', 'documents', 'connections', 'members'] as const

/** Nothing for others than the owner. */
export function RemovalSection() {
  const { t } = useTranslation('security')
  const user = useCurrentUser()
  const organization = useOrganization()
  const [isOpen, setOpen] = useState(false)
  if (organization.ownerId !== user._id) return null
  return (
    <CardSection title={t(($) => $.removal.title)} description={t(($) => $.removal.description)}>
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <Link to={paths.data}>{t(($) => $.removal.export)}</Link>
        </Button>
        <Button variant="destructive" onClick={() => setOpen(true)}>
          {t(($) => $.removal.open)}
        </Button>
      </div>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        {isOpen && <RemovalDialog name={organization.name} />}
      </Dialog>
    </CardSection>
  )
}

function RemovalDialog({ name }: { name: string }) {
  const { t } = useTranslation('security')
  const counts = useQuery(api.organizations.removalCounts, {})
  const status = useFetched(TWO_STEP_KEY, fetchTwoStep)
  const remove = useAction(api.organizations.remove, { hasToast: false })
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const hasPassword = status.value?.hasPassword ?? true

  async function submit() {
    setFailure(null)
    setBusy(true)
    // When it succeeds, the page gives way by itself.
    await remove({ name: typed, ...(hasPassword && { password }) }).catch((error: unknown) => {
      setFailure(describeError(error).message)
      setBusy(false)
    })
  }
  return (
    <DialogContent title={t(($) => $.removal.open)} description={t(($) => $.removal.body)}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <ul className="list-disc ps-5">
          {counts &&
            COUNTED.map((what) => <li key={what}>{t(($) => $.removal.counts[what], { count: counts[what] })}</li>)}
        </ul>
        <Field label={t(($) => $.removal.name)} hint={name} isRequired>
          <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        {hasPassword && (
          <Field label={t(($) => $.password)} isRequired>
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        )}
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <div className="flex justify-end">
          <Button type="submit" variant="destructive" isBusy={isBusy} disabled={typed.trim() !== name}>
            {t(($) => $.removal.submit)}
          </Button>
        </div>
      </form>
    </DialogContent>
  )
}
