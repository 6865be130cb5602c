// A widget as its visitors will see it, before it is saved.
import { MessageCircle } from 'lucide-react'
import type { WidgetSettings } from '#shared/channels/webchat.ts'
import { textOn } from '#shared/contrast.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { cn } from '#web/lib/cn.ts'
import { LANGUAGES, useTranslation } from '#web/lib/i18n.ts'
import { useWidgetColor } from './widget-color.tsx'

/** In the language on screen. A picture only: nothing in it can be used. Without an `avatar` it shows the first letter of the title. */
export function WidgetPreview({ widget, avatar }: { widget: WidgetSettings; avatar: string | null }) {
  const { t, i18n } = useTranslation('channels')
  const language = LANGUAGES.find((each) => i18n.language === each) ?? 'ru'
  const { greeting } = widget.texts[language]
  const color = useWidgetColor(widget.color)
  const accent = { backgroundColor: color, color: textOn(color) }
  return (
    <figure className="flex flex-col gap-2 lg:sticky lg:top-4">
      <figcaption className="text-muted-foreground">{t(($) => $.webchat.preview)}</figcaption>
      <div aria-hidden="true" className="overflow-hidden rounded-xl border border-border bg-surface shadow-card">
        <div className="flex items-center gap-2 p-3 font-semibold" style={accent}>
          {avatar === null ? (
            <span className="flex size-8 shrink-0 items-center justify-center rounded-full border border-current">
              {[...widget.title.trim()][0]?.toUpperCase()}
            </span>
          ) : (
            <Avatar avatar={avatar} name={widget.title} className="size-8" />
          )}
          <span className="truncate">{widget.title}</span>
        </div>
        <div className="flex min-h-44 flex-col gap-2 p-3 text-sm">
          {greeting && <p className="max-w-[85%] self-start rounded-xl bg-muted px-3 py-2 break-words">{greeting}</p>}
          <p className="max-w-[85%] self-end rounded-xl px-3 py-2" style={accent}>
            {t(($) => $.webchat.previewQuestion)}
          </p>
        </div>
      </div>
      <span
        aria-hidden="true"
        className={cn(
          'flex size-12 items-center justify-center rounded-full shadow-raised',
          widget.position === 'right' ? 'self-end' : 'self-start',
        )}
        style={accent}
      >
        <MessageCircle className="size-6" />
      </span>
    </figure>
  )
}
