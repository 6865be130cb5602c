// The code for a site and the link of a widget's own page.
import { Alert } from '#web/components/ui/alert.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { pageWith, useDemonstration } from '../use-demonstration.ts'
import { pageAddress, snippetFor } from './widget.rules.ts'

/** Both can be copied. */
export function EmbedSection({ widgetKey, hasDomains }: { widgetKey: string; hasDomains: boolean }) {
  const { t } = useTranslation('channels')
  const { origin } = window.location
  const demonstration = useDemonstration()
  return (
    <CardSection title={t(($) => $.webchat.embed)} description={t(($) => $.webchat.embedHint)}>
      <div className="flex flex-col gap-4">
        {demonstration && (
          <DemonstrationHint
            what="site"
            href={pageWith(demonstration.webchat, { chat: widgetKey })}
            host={new URL(demonstration.webchat).host}
          />
        )}
        {!hasDomains && <Alert tone="warning">{t(($) => $.webchat.noDomains)}</Alert>}
        <Copied text={snippetFor(origin, widgetKey)} label={t(($) => $.webchat.copySnippet)} />
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.webchat.csp, { origin })}</p>
        <div>
          <h3 className="font-medium">{t(($) => $.webchat.link)}</h3>
          <p className="mt-0.5 mb-2 text-muted-foreground">{t(($) => $.webchat.linkHint)}</p>
          <Copied text={pageAddress(origin, widgetKey)} label={t(($) => $.webchat.copyLink)} />
        </div>
      </div>
    </CardSection>
  )
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-2 rounded-lg bg-muted p-3">
      <code className="min-w-0 flex-1 break-all text-xs leading-6">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
