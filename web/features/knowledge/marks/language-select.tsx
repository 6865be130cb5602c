// The language of a source: as its text tells, or as somebody says.
import { SOURCE_LANGUAGES, type SourceLanguage, type SourceMarks } from '#shared/knowledge/knowledge-marks.ts'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const BY_TEXT = 'text'

type LanguageSelectProps = {
  source: SourceMarks
  /** Null: as its text tells. */
  value: SourceLanguage | null
  onChange: (language: SourceLanguage | null) => void
}

/** Says what the text tells, where that is known. */
export function LanguageSelect({ source, value, onChange, ...field }: LanguageSelectProps) {
  const { t } = useTranslation('knowledge')
  const told = source.chosenLanguage === null ? source.language : null
  const byText = told
    ? t(($) => $.marks.byTextIs, { language: t(($) => $.marks.languages[told]) })
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
