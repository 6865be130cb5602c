// Which types of events an endpoint hears of.
import { useId } from 'react'
import { OFFERED_TYPES, type OfferedType } from '#shared/webhooks/webhooks.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useTypeWords } from './use-type-words.ts'

type TypeChoicesProps = {
  chosen: OfferedType[]
  onChange: (types: OfferedType[]) => void
  error: string | undefined
}

/** A group of boxes, each with the name by which programs know the type. */
export function TypeChoices({ chosen, onChange, error }: TypeChoicesProps) {
  const { t } = useTranslation('webhooks')
  const errorId = useId()
  const wordsOf = useTypeWords()
  const choose = (type: OfferedType, isOn: boolean) =>
    onChange(OFFERED_TYPES.filter((each) => (each === type ? isOn : chosen.includes(each))))
  return (
    <fieldset aria-describedby={error && errorId} className="flex flex-col">
      <legend className="mb-1 font-medium text-sm">{t(($) => $.types)}</legend>
      {OFFERED_TYPES.map((type) => (
        <label
          key={type}
          className="-mx-2 flex min-h-9 items-center gap-3 rounded-lg px-2 py-1 hover:bg-accent pointer-coarse:min-h-11"
        >
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-primary"
            checked={chosen.includes(type)}
            onChange={({ target }) => choose(type, target.checked)}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
            <span>{wordsOf(type)}</span>
            <code className="break-all text-muted-foreground text-xs">{type}</code>
          </span>
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
