// The dialog in which an administrator of the installation says why and for how long they act on behalf of an organization.
import { useState } from 'react'
import type { AdminOrganization } from '#shared/organizations/admin.ts'
import { DEFAULT_SUPPORT_MINUTES, SUPPORT_MINUTES } from '#shared/organizations/support.ts'
import { api } from '#web/api.ts'
import { Field } from '#web/components/ui/field.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { enterOrganization } from '#web/lib/sign-in/workplace.ts'
import { ReasonDialog } from '../reason-dialog.tsx'

type SupportDialogProps = { organization: Pick<AdminOrganization, '_id' | 'name'>; onClose: () => void }

/** Open while mounted. The tab then works in the organization. */
export function SupportDialog({ organization: { _id: organizationId, name }, onClose }: SupportDialogProps) {
  const { t } = useTranslation('admin')
  const begin = useMutation(api.admin.support.begin, { hasToast: false })
  const [minutes, setMinutes] = useState<(typeof SUPPORT_MINUTES)[number]>(DEFAULT_SUPPORT_MINUTES)
  const [extent, setExtent] = useState<'reads' | 'writes'>('reads')
  return (
    <ReasonDialog
      title={t(($) => $.support.beginTitle, { name })}
      description={t(($) => $.support.beginBody)}
      hint={t(($) => $.support.reasonHint)}
      confirmLabel={t(($) => $.support.enter)}
      variant="primary"
      onConfirm={async (reason) => {
        await begin({ organizationId, reason, minutes, mayWrite: extent === 'writes' })
        enterOrganization(organizationId)
      }}
      onClose={onClose}
    >
      <Field label={t(($) => $.support.minutes)}>
        <Select
          value={String(minutes)}
          onValueChange={(next) =>
            setMinutes(SUPPORT_MINUTES.find((each) => String(each) === next) ?? DEFAULT_SUPPORT_MINUTES)
          }
          options={SUPPORT_MINUTES.map((count) => ({
            value: String(count),
            label: t(($) => $.support.minutesCount, { count }),
          }))}
        />
      </Field>
      <RadioGroup
        label={t(($) => $.support.extent)}
        value={extent}
        onValueChange={setExtent}
        options={(['reads', 'writes'] as const).map((each) => ({
          value: each,
          label: t(($) => $.support[each]),
          hint: t(($) => $.support.extents[each]),
        }))}
      />
    </ReasonDialog>
  )
}
