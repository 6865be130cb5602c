// A customer's message in another language: the button next to the message that shows and hides the translation, and the translation below.
import { Languages } from 'lucide-react'
import type { Message } from '#shared/messaging/conversations.ts'
import type { TranslationLanguage } from '#shared/messaging/operator-tools.ts'
import { Button } from '#web/components/ui/button.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { translationTarget } from './translation.rules.ts'
import type { Translations } from './use-translations.ts'

type MessageTranslationProps = { message: Message; translations: Translations }

/** Renders nothing for messages of others, and for a message without text. */
export function TranslateButton({ message, translations }: MessageTranslationProps) {
  const { t } = useTranslation('conversations')
  if (message.author !== 'customer' || message.text.trim() === '') return null
  const isShown = translations.find(message) !== undefined
  const language = translationTarget(message.text, currentLanguage())
  const label = isShown ? t(($) => $.translation.hide) : t(($) => $.helper.translate[language])
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      aria-expanded={isShown}
      title={label}
      onClick={() => (isShown ? translations.hide(message) : translations.show(message, language))}
    >
      <Languages aria-hidden="true" />
    </Button>
  )
}

/** Below the message, until hidden; offers the other language. */
export function MessageTranslation({ message, translations }: MessageTranslationProps) {
  const { t } = useTranslation('conversations')
  const translation = translations.find(message)
  if (!translation) return null
  const { language, text } = translation
  const isBusy = text === null
  const other: TranslationLanguage = language === 'ru' ? 'en' : 'ru'
  return (
    <div className="flex max-w-full flex-col gap-1 rounded-2xl border border-border border-dashed px-3.5 py-2 text-sm">
      <div role="status" aria-busy={isBusy} className="flex flex-col gap-1">
        <p className="text-muted-foreground text-xs">{t(($) => $.translation[isBusy ? 'busy' : 'into'][language])}</p>
        {text !== null && (
          <p lang={language} className="whitespace-pre-wrap break-words leading-relaxed">
            {text}
          </p>
        )}
      </div>
      {/* Not `disabled`: the button keeps the focus while the translation is being written. */}
      <Button
        variant="ghost"
        size="sm"
        className="self-start"
        aria-disabled={isBusy}
        onClick={() => isBusy || translations.show(message, other)}
      >
        {t(($) => $.helper.translate[other])}
      </Button>
    </div>
  )
}
