// What a widget says by itself, in each of its languages.

import { WIDGET_LANGUAGES, type WidgetSettings } from '#shared/channels/webchat.ts'
import { WIDGET_GREETING_MAX } from '#shared/limits.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type Texts = WidgetSettings['texts']

/** Each may be empty. */
export function WidgetTextFields({ texts, onChange }: { texts: Texts; onChange: (texts: Texts) => void }) {
  const { t } = useTranslation('channels')
  return (
    <div className="flex flex-col gap-5">
      {(['greeting', 'offline'] as const).flatMap((name) =>
        WIDGET_LANGUAGES.map((language) => (
          <Field key={`${name}-${language}`} label={t(($) => $.webchat[name][language])} isOptional>
            <Textarea
              lang={language}
              className="max-h-40"
              maxLength={WIDGET_GREETING_MAX}
              value={texts[language][name]}
              onChange={(event) =>
                onChange({ ...texts, [language]: { ...texts[language], [name]: event.target.value } })
              }
            />
          </Field>
        )),
      )}
    </div>
  )
}
