// The choice of one organization among all: a search, and those that it finds.
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { OrganizationChoice } from '#shared/organizations/admin-invites.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useLastLoaded, useRested } from '#web/components/lists/use-steady.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Select, type SelectOption } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** In the select, whose values may not be empty. */
const NONE = 'none'

type OrganizationFieldProps = {
  value: OrganizationChoice | null
  onChange: (organization: OrganizationChoice | null) => void
  /** Organizations that cannot be chosen. */
  without?: readonly Id<'organizations'>[]
  /** What leaving it open means, where it may be left open. */
  openChoice?: string
  error?: string | undefined
}

/** The chosen one stays among the choices, whatever is searched for. */
export function OrganizationField({ value, onChange, without = [], openChoice, error }: OrganizationFieldProps) {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const rested = useRested(search)
  const found = useLastLoaded<OrganizationChoice[]>(useQuery(api.admin.invites.organizations, { search: rested }))
  const offered = (found ?? []).filter(({ _id }) => !without.includes(_id))
  const choices = value && !offered.some(({ _id }) => _id === value._id) ? [value, ...offered] : offered
  const open: SelectOption[] = openChoice === undefined ? [] : [{ value: NONE, label: openChoice }]
  return (
    <div className="flex flex-col gap-2">
      <Field label={t(($) => $.organization.label)} error={error} isRequired={openChoice === undefined}>
        <Select
          value={value?._id ?? (openChoice === undefined ? '' : NONE)}
          placeholder={
            found && choices.length === 0 ? t(($) => $.organization.notFound) : t(($) => $.organization.choose)
          }
          onValueChange={(next) => onChange(choices.find(({ _id }) => _id === next) ?? null)}
          options={[...open, ...choices.map(({ _id, name, owner }) => ({ value: _id, label: name, hint: owner }))]}
        />
      </Field>
      <ListSearch label={t(($) => $.organization.search)} value={search} onChange={setSearch} />
    </div>
  )
}
