// What a customer has written, in another language: the button beside the message, and the translation under it.
import { Languages, X } from 'lucide-react'
import type { Message } from '#shared/conversations.ts'
import type { TranslationLanguage } from '#shared/desk.ts'
import { Button } from '#web/components/ui/button.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { translationTarget } from './translation.rules.ts'
import type { Translations } from './use-translations.ts'

type MessageTranslationProps = { message: Message; translations: Translations }

/** Nothing for what others have said, for a message without words, and where the translation stands already. */
export function TranslateButton({ message, translations }: MessageTranslationProps) {
  const { t } = useTranslation('conversations')
  if (message.author !== 'customer' || message.text.trim() === '' || translations.find(message)) return null
  const language = translationTarget(message.text, currentLanguage())
  const label = t(($) => $.helper.translate[language])
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={label}
      onClick={() => translations.show(message, language)}
    >
      <Languages aria-hidden="true" />
    </Button>
  )
}

/** Under the message, until it is put away; from it the other language is asked for. */
export function MessageTranslation({ message, translations }: MessageTranslationProps) {
  const { t } = useTranslation('conversations')
  const translation = translations.find(message)
  if (!translation) return null
  const { language, text } = translation
  const other: TranslationLanguage = language === 'ru' ? 'en' : 'ru'
  return (
    <div
      role="status"
      aria-busy={text === null}
      className="flex max-w-full flex-col gap-1 rounded-2xl border border-border border-dashed px-3.5 py-2 text-sm"
    >
      <p className="text-muted-foreground text-xs">
        {t(($) => $.translation[text === null ? 'busy' : 'into'][language])}
      </p>
      {text !== null && (
        <>
          <p lang={language} className="whitespace-pre-wrap break-words leading-relaxed">
            {text}
          </p>
          <div className="flex flex-wrap items-center gap-1">
            <Button variant="ghost" size="sm" onClick={() => translations.show(message, other)}>
              {t(($) => $.helper.translate[other])}
            </Button>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t(($) => $.translation.hide)}
              title={t(($) => $.translation.hide)}
              onClick={() => translations.hide(message)}
            >
              <X aria-hidden="true" />
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
