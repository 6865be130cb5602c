// A switch for each language that an agent may be kept to.
import { useId } from 'react'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type LanguageSwitchesProps = { chosen: readonly SourceLanguage[]; onChange: (chosen: SourceLanguage[]) => void }

/** None chosen means any. */
export function LanguageSwitches({ chosen, onChange }: LanguageSwitchesProps) {
  const { t } = useTranslation('knowledge')
  const id = useId()
  const change = (language: SourceLanguage, isOn: boolean) =>
    onChange(SOURCE_LANGUAGES.filter((each) => (each === language ? isOn : chosen.includes(each))))
  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend className="mb-2 font-medium text-[0.8125rem]">{t(($) => $.marks.languagesOfAgent)}</legend>
      <ul className="flex flex-wrap gap-x-6 gap-y-3">
        {SOURCE_LANGUAGES.map((language) => (
          <li key={language} className="flex items-center gap-2.5">
            <Switch
              id={`${id}-${language}`}
              checked={chosen.includes(language)}
              onCheckedChange={(isOn) => change(language, isOn)}
            />
            <label htmlFor={`${id}-${language}`}>{t(($) => $.marks.languages[language])}</label>
          </li>
        ))}
      </ul>
      <p id={`${id}-hint`} className="mt-2 text-[0.8125rem] text-muted-foreground">
        {t(($) => $.marks.languagesOfAgentHint)}
      </p>
    </fieldset>
  )
}
