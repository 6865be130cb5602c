// The accent of each theme, with how well it can be read.
import {
  accentContrast,
  type Brand,
  CONTRAST_MIN,
  isAccent,
  THEMES,
  type Theme,
} from '#shared/organizations/branding.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { BrandPartProps } from './brand-part.ts'

const FIELDS = { light: 'accentLight', dark: 'accentDark' } as const
/** Where the picker of colours begins while none is chosen: the accents of the palette. */
const BEGIN: Record<Theme, string> = { light: '#2454c7', dark: '#86abff' }

/** Typed or picked. An empty one is that of the installation, or of the palette. */
export function ColorFields({ inherited, ...part }: BrandPartProps & { inherited: Brand }) {
  const { t } = useTranslation('branding')
  return (
    <CardSection title={t(($) => $.colors.title)} description={t(($) => $.colors.description, { min: CONTRAST_MIN })}>
      <div className="grid gap-5 sm:grid-cols-2">
        {THEMES.map((theme) => (
          <ColorField key={theme} {...part} theme={theme} inherited={inherited.accent[theme] ?? BEGIN[theme]} />
        ))}
      </div>
    </CardSection>
  )
}

type ColorFieldProps = BrandPartProps & { theme: Theme; inherited: string }

function ColorField({ theme, inherited, draft, change, errorOf }: ColorFieldProps) {
  const { t } = useTranslation('branding')
  const field = FIELDS[theme]
  const color = draft[field]
  const error = errorOf(field)
  const ratio = isAccent(color) ? Math.floor(accentContrast(theme, color) * 100) / 100 : null
  const hint = ratio === null ? t(($) => $.colors.empty) : t(($) => $.colors.contrast, { ratio })
  return (
    <div className="flex items-start gap-2">
      <Field
        label={t(($) => $.colors[theme])}
        hint={error ? undefined : hint}
        error={error}
        className="flex-1"
        isOptional
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          maxLength={7}
          placeholder={inherited}
          value={color}
          onChange={({ target }) => change({ [field]: target.value.trim().toLowerCase() })}
        />
      </Field>
      <div className="mt-7 flex gap-2">
        <Input
          type="color"
          aria-label={t(($) => $.colors.pick[theme])}
          className="w-12 p-1"
          value={isAccent(color) ? color : inherited}
          onChange={({ target }) => change({ [field]: target.value })}
        />
        {color !== '' && (
          <Button variant="ghost" aria-label={t(($) => $.colors.clear[theme])} onClick={() => change({ [field]: '' })}>
            {t(($) => $.colors.reset)}
          </Button>
        )}
      </div>
    </div>
  )
}
