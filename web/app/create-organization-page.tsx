// For accounts without an organization, such as after the first sign-in through Google.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { createOrganizationInput } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { ownTimeZone } from '#web/lib/time-zone.ts'
import { useSignOut } from './use-sign-out.ts'

const schema = z.pick(createOrganizationInput, { organizationName: true })

/**
 * One field, and the way out for who came by the wrong account. The page gives way by itself once the organization exists.
 *
 * @param left the organization that the person belonged to until now; null: none
 */
export function CreateOrganizationPage({ left }: { left: string | null }) {
  const { t } = useTranslation()
  const title = t(($) => (left ? $.organization.anotherTitle : $.organization.title))
  const create = useMutation(api.organizations.create, { hasToast: false })
  const signOut = useSignOut()
  const { removedOrganization } = useCurrentUser()
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { organizationName: '' } })
  useDocumentTitle(title)
  const submit = form.handleSubmit((values) =>
    create({ ...values, ...ownTimeZone() }).catch((error) =>
      form.setError('root', { message: describeError(error).message }),
    ),
  )
  const { errors, isSubmitting } = form.formState
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-4">
      <OutageBanner className="w-full max-w-md overflow-hidden rounded-lg" />
      <Logo />
      <Card className="w-full max-w-md p-6">
        <h1 className="font-semibold text-lg">{title}</h1>
        <p className="mt-1 mb-5 text-muted-foreground">
          {t(($) => (left ? $.organization.anotherBody : $.organization.body))}
        </p>
        {removedOrganization && (left ?? removedOrganization) === removedOrganization ? (
          <Alert className="mb-5">{t(($) => $.organization.removed, { name: removedOrganization })}</Alert>
        ) : (
          left && (
            <Alert className="mb-5" title={t(($) => $.organization.left, { name: left })}>
              {t(($) => $.organization.leftBody)}
            </Alert>
          )
        )}
        <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
          <Field
            label={t(($) => $.organization.name)}
            error={errors.organizationName && t(($) => $.form.tooShort, { count: 3 })}
            isRequired
          >
            <Input autoComplete="organization" {...form.register('organizationName')} />
          </Field>
          {errors.root?.message && <Alert tone="destructive">{errors.root.message}</Alert>}
          <Button type="submit" variant="primary" size="lg" isBusy={isSubmitting}>
            {t(($) => $.organization.create)}
          </Button>
        </form>
      </Card>
      <Button variant="link" size="sm" onClick={() => void signOut()}>
        {t(($) => $.header.signOut)}
      </Button>
    </main>
  )
}
