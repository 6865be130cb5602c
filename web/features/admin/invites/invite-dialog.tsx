// The dialog that invites one person into an organization, then shows the link.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { createAnyInviteInput, type OrganizationChoice } from '#shared/organizations/admin-invites.ts'
import type { CreatedInvite } from '#shared/organizations/members.ts'
import { GRANTED_ROLES, type GrantedRole } from '#shared/organizations/policy.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { OrganizationField } from '../organization-field.tsx'
import { MadeInvite } from './made-invite.tsx'

type Made = { email: string; made: CreatedInvite }

/** Open while mounted. A refusal stays in the form. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => (made ? $.invites.madeTitle : $.invites.invite))}>
        {made ? <MadeInvite {...made} onClose={onClose} /> : <InviteForm onMade={setMade} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

function InviteForm({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common'])
  const create = useMutation(api.admin.invites.create, { hasToast: false })
  const [organization, setOrganization] = useState<OrganizationChoice | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({
    resolver: zodResolver(createAnyInviteInput),
    defaultValues: { email: '', role: 'operator' as GrantedRole },
  })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ email, role }) => {
    setFailure(null)
    try {
      onMade({ email, made: await create({ email, role, ...(organization && { organizationId: organization._id }) }) })
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label={t(($) => $.invites.email)} error={errors.email && t(($) => $.invites.emailError)} isRequired>
        <Input type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
      </Field>
      <Field label={t(($) => $.invites.role)}>
        <Select
          value={form.watch('role')}
          onValueChange={(next) => form.setValue('role', GRANTED_ROLES.find((each) => each === next) ?? 'operator')}
          options={GRANTED_ROLES.map((each) => ({
            value: each,
            label: t(($) => $.roles[each], { ns: 'common' }),
            hint: t(($) => $.roleHints[each], { ns: 'common' }),
          }))}
        />
      </Field>
      <OrganizationField value={organization} onChange={setOrganization} openChoice={t(($) => $.invites.byDomain)} />
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.action.cancel, { ns: 'common' })}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => $.invites.send)}
        </Button>
      </DialogFooter>
    </form>
  )
}
