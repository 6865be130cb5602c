// Language, theme, palette and single-key shortcuts: choices of this browser.
import { type ReactNode, useId } from 'react'
import { CardSection } from '#web/components/ui/card.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { setSingleKeys, useSingleKeys } from '#web/lib/browser/shortcuts.ts'
import { type Palette, setPalette, setTheme, type ThemeChoice, useTheme } from '#web/lib/browser/theme.ts'
import { currentLanguage, LANGUAGES, type Language, useTranslation } from '#web/lib/i18n.ts'
import { useLanguageChoice } from '#web/lib/sign-in/own-settings.ts'

const THEMES: readonly ThemeChoice[] = ['light', 'dark', 'system']
const PALETTES: readonly Palette[] = ['doc-basic', 'default']

/** Every choice takes effect at once. */
export function AppearanceSection() {
  const { t } = useTranslation(['settings', 'common'])
  const common = useTranslation('common').t
  const { choice, palette } = useTheme()
  const chooseLanguage = useLanguageChoice()
  const hasSingleKeys = useSingleKeys()
  return (
    <CardSection title={t(($) => $.appearance)} description={t(($) => $.appearanceDescription)}>
      <div className="flex flex-col gap-4">
        <Row label={common(($) => $.header.language)}>
          {(id) => (
            <Select
              id={id}
              className="sm:w-56"
              value={currentLanguage()}
              onValueChange={(next) => chooseLanguage(next as Language)}
              options={LANGUAGES.map((value) => ({ value, label: common(($) => $.language[value]) }))}
            />
          )}
        </Row>
        <Row label={common(($) => $.header.theme)}>
          {(id) => (
            <Select
              id={id}
              className="sm:w-56"
              value={choice}
              onValueChange={(next) => setTheme(next as ThemeChoice)}
              options={THEMES.map((value) => ({ value, label: common(($) => $.theme[value]) }))}
            />
          )}
        </Row>
        <Row label={common(($) => $.header.palette)}>
          {(id) => (
            <Select
              id={id}
              className="sm:w-56"
              value={palette}
              onValueChange={(next) => setPalette(next as Palette)}
              options={PALETTES.map((value) => ({ value, label: common(($) => $.palette[value]) }))}
            />
          )}
        </Row>
        <Row label={t(($) => $.singleKeys)} hint={t(($) => $.singleKeysHint)} isInline>
          {(id) => (
            <Switch id={id} aria-describedby={`${id}-hint`} checked={hasSingleKeys} onCheckedChange={setSingleKeys} />
          )}
        </Row>
      </div>
    </CardSection>
  )
}

type RowProps = { label: string; hint?: string; isInline?: boolean; children: (id: string) => ReactNode }

function Row({ label, hint, isInline = false, children }: RowProps) {
  const id = useId()
  return (
    <div
      className={`flex justify-between gap-x-6 gap-y-1.5 ${isInline ? 'items-start' : 'flex-col sm:flex-row sm:items-center'}`}
    >
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="max-w-md text-[0.8125rem] text-muted-foreground">
            {hint}
          </p>
        )}
      </div>
      {children(id)}
    </div>
  )
}
