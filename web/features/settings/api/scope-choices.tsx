// What a program may do with a new token, each on its own.
import { useId } from 'react'
import { API_SCOPES, type ApiScope } from '#shared/organizations/policy.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { scopeKey } from './scopes.ts'

type ScopeChoicesProps = {
  value: ApiScope[]
  onChange: (scopes: ApiScope[]) => void
  error: string | undefined
}

/** In their order, whatever the order of the choices. */
export function ScopeChoices({ value, onChange, error }: ScopeChoicesProps) {
  const { t } = useTranslation('settings')
  const errorId = useId()
  const toggle = (scope: ApiScope) => onChange(API_SCOPES.filter((each) => value.includes(each) !== (each === scope)))
  return (
    <fieldset aria-describedby={error && errorId} className="flex flex-col">
      <legend className="mb-1 font-medium text-sm">{t(($) => $.api.scopes)}</legend>
      {API_SCOPES.map((scope) => (
        <label
          key={scope}
          className="-mx-2 flex min-h-9 items-center gap-3 rounded-lg px-2 py-1 hover:bg-accent pointer-coarse:min-h-11"
        >
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-primary"
            checked={value.includes(scope)}
            onChange={() => toggle(scope)}
          />
          {t(($) => $.api.scopeNames[scopeKey(scope)])}
        </label>
      ))}
      {error && (
        <p id={errorId} role="alert" className="mt-1 text-[0.8125rem] text-destructive-soft-foreground">
          {error}
        </p>
      )}
    </fieldset>
  )
}
