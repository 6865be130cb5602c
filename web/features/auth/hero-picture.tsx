// A small picture of the product: a question, and an answer that names its source.
import { FileText } from 'lucide-react'
import { LogoMark } from '#web/components/ui/logo.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Decorative: the list below it has the same content as text. */
export function HeroPicture() {
  const { t } = useTranslation('auth')
  return (
    <div aria-hidden="true" className="flex select-none flex-col gap-3 text-sm">
      <div className="max-w-[75%] self-end rounded-2xl rounded-ee-md bg-primary px-4 py-2.5 text-primary-foreground shadow-card">
        {t(($) => $.hero.picture.question)}
      </div>
      <div className="flex max-w-[88%] items-end gap-2.5">
        <LogoMark className="size-7" />
        <div className="rounded-2xl rounded-es-md border border-border bg-surface px-4 py-3 shadow-raised">
          <p>{t(($) => $.hero.picture.answer)}</p>
          <p className="mt-2.5 inline-flex items-center gap-1.5 rounded-full bg-muted px-2.5 py-1 text-muted-foreground text-xs">
            <FileText className="size-3.5" />
            {t(($) => $.hero.picture.source)}
          </p>
        </div>
      </div>
    </div>
  )
}
