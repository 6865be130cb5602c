// The text of one help page.
import { Markdown } from '#web/components/ui/markdown.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { HelpTopic } from './help-topics.ts'

/** Without its title, which the page or panel around it shows. Needs the texts `help`. */
export function HelpArticle({ topic }: { topic: HelpTopic }) {
  const { t } = useTranslation('help')
  return (
    <div className="flex max-w-prose flex-col gap-4">
      <p className="text-muted-foreground">{t(($) => $[topic].intro)}</p>
      <Markdown text={t(($) => $[topic].body)} isStreaming={false} />
    </div>
  )
}
