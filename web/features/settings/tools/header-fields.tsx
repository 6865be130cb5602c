// Headers of a tool: a name, a text, and a secret of the vault that follows it.
import { Plus, Trash2 } from 'lucide-react'
import type { ToolSecret } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import type { HeaderEntry } from './tool-form.rules.ts'

/** Stands for no secret: a choice may not be empty. */
const NONE = 'none'

type HeaderFieldsProps = {
  headers: HeaderEntry[]
  error: string | undefined
  onChange: (headers: HeaderEntry[]) => void
}

/** Rows that can be added and removed. */
export function HeaderFields({ headers, error, onChange }: HeaderFieldsProps) {
  const { t } = useTranslation('tools')
  const secrets: ToolSecret[] = useQuery(api.tools.vault.secrets, {}) ?? []
  const options = [
    { value: NONE, label: t(($) => $.header.noSecret) },
    ...secrets.map(({ _id, name, host }) => ({ value: _id, label: name, hint: host })),
  ]
  const change = (at: number, entry: Partial<HeaderEntry>) =>
    onChange(headers.map((header, index) => (index === at ? { ...header, ...entry } : header)))
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-medium">{t(($) => $.header.title)}</legend>
      {headers.map((header, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="grid items-start gap-3 rounded-lg border border-border p-3 sm:grid-cols-3">
          <Field label={t(($) => $.header.name)} error={at === 0 ? error : undefined}>
            <Input
              value={header.name}
              onChange={(event) => change(at, { name: event.target.value })}
              autoComplete="off"
            />
          </Field>
          <Field label={t(($) => $.header.value)}>
            <Input
              value={header.value}
              onChange={(event) => change(at, { value: event.target.value })}
              autoComplete="off"
            />
          </Field>
          <div className="flex items-end gap-2">
            <Field className="min-w-0 flex-1" label={t(($) => $.header.secret)}>
              <Select
                value={header.secretId || NONE}
                onValueChange={(secretId) => change(at, { secretId: secretId === NONE ? '' : secretId })}
                options={options}
              />
            </Field>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t(($) => $.header.remove, { number: at + 1 })}
              onClick={() => onChange(headers.filter((_, index) => index !== at))}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </div>
        </div>
      ))}
      <Button
        size="sm"
        className="self-start"
        onClick={() => onChange([...headers, { name: '', value: '', secretId: '' }])}
      >
        <Plus aria-hidden="true" />
        {t(($) => $.header.add)}
      </Button>
    </fieldset>
  )
}
