// The language of a source: detected from its text, or set by a user.
import { SOURCE_LANGUAGES, type SourceLanguage, type SourceMarks } from '#shared/knowledge/knowledge-marks.ts'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const BY_TEXT = 'text'

type LanguageSelectProps = {
  source: SourceMarks
  /** Null: detected from the text. */
  value: SourceLanguage | null
  onChange: (language: SourceLanguage | null) => void
}

/** Shows the detected language, where known. */
export function LanguageSelect({ source, value, onChange, ...field }: LanguageSelectProps) {
  const { t } = useTranslation('knowledge')
  const detected = source.chosenLanguage === null ? source.language : null
  const byText = detected
    ? t(($) => $.marks.byTextIs, { language: t(($) => $.marks.languages[detected]) })
    : t(($) => $.marks.byText)
  return (
    <Select
      {...field}
      value={value ?? BY_TEXT}
      onValueChange={(next) => onChange(SOURCE_LANGUAGES.find((language) => language === next) ?? null)}
      options={[
        { value: BY_TEXT, label: byText },
        ...SOURCE_LANGUAGES.map((language) => ({ value: language, label: t(($) => $.marks.languages[language]) })),
      ]}
    />
  )
}
