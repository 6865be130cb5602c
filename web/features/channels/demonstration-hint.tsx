// What to do in a demonstration where life would ask for a phone, an account, a site or a program.
import { ExternalLink } from 'lucide-react'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** `href`: the page on which it is done. */
type DemonstrationHintProps = {
  what:
    | 'bot'
    | 'chat'
    | 'instance'
    | 'link'
    | 'cloudNumber'
    | 'cloudWebhook'
    | 'messenger'
    | 'site'
    | 'program'
    | 'secrets'
  href: string
  /** Of the text: the host of the site. */
  host?: string
}

/** Says that this is a demonstration, then what to do. */
export function DemonstrationHint({ what, href, host = '' }: DemonstrationHintProps) {
  const { t } = useTranslation('channels')
  return (
    <Alert tone="info" title={t(($) => $.demonstration.title)}>
      <p>{t(($) => $.demonstration[what], { host })}</p>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="mt-2 inline-flex items-center gap-1 font-medium underline underline-offset-2"
      >
        {t(($) => $.demonstration.open[what])}
        <ExternalLink aria-hidden="true" className="size-3.5" />
      </a>
    </Alert>
  )
}
