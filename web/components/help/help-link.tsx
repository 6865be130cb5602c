// A link to a help page that opens next to the current page.
import { CircleHelp } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Link } from 'react-router'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { HelpArticle } from './help-article.tsx'
import { HELP_PATHS, type HelpTopic } from './help-topics.ts'

/** A click opens a panel and keeps the page; with a modifier, or from within the panel, it opens the help page itself. */
export function HelpLink({ topic }: { topic: HelpTopic }) {
  const { t } = useTranslation('help')
  const [isOpen, setOpen] = useState(false)
  const title = t(($) => $[topic].title)

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <>
      <Link
        to={HELP_PATHS[topic]}
        onClick={open}
        aria-label={t(($) => $.link, { title })}
        title={t(($) => $.link, { title })}
        className={buttonClasses({ variant: 'ghost', size: 'icon-sm' })}
      >
        <CircleHelp aria-hidden="true" />
      </Link>
      <Sheet open={isOpen} onOpenChange={setOpen}>
        <SheetContent title={title}>
          <HelpArticle topic={topic} />
          <Link
            to={HELP_PATHS[topic]}
            target="_blank"
            rel="noreferrer"
            className="text-primary text-sm underline underline-offset-2"
          >
            {t(($) => $.openPage)}
          </Link>
        </SheetContent>
      </Sheet>
    </>
  )
}
