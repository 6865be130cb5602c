// What the model was given.
import type { TracePrompt } from '#shared/messaging/trace.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyRaw, WhySection } from './why-section.tsx'

/** Instructions and conversation, folded: they are long. */
export function WhyPrompt({ prompt }: { prompt: TracePrompt }) {
  const { t } = useTranslation('why')
  const { system, messages, tools = [], temperature, droppedMessages, summary } = prompt
  return (
    <WhySection title={t(($) => $.prompt.title)}>
      <p className="text-muted-foreground text-xs">
        {t(($) => $.prompt.temperature, { value: formatNumber(temperature, 2) })}
        {prompt.template !== undefined && ` · ${t(($) => $.prompt.template, { number: prompt.template })}`}
        {droppedMessages > 0 && ` · ${t(($) => $.prompt.dropped, { count: droppedMessages })}`}
        {prompt.newAfterMinutes !== undefined &&
          ` · ${t(($) => $.prompt.begunAnew, { minutes: prompt.newAfterMinutes })}`}
        {tools.length > 0 && ` · ${t(($) => $.prompt.tools, { names: tools.join(', ') })}`}
        {prompt.isCut && ` · ${t(($) => $.prompt.cut)}`}
      </p>
      <details>
        <summary className="cursor-pointer text-sm">{t(($) => $.prompt.system)}</summary>
        <div className="mt-2">
          <WhyRaw>{system}</WhyRaw>
        </div>
      </details>
      {summary && (
        <details>
          <summary className="cursor-pointer text-sm">{t(($) => $.prompt.summary)}</summary>
          <div className="mt-2">
            <WhyRaw>{summary}</WhyRaw>
          </div>
        </details>
      )}
      <details>
        <summary className="cursor-pointer text-sm">{t(($) => $.prompt.messages, { count: messages.length })}</summary>
        <ol className="mt-2 flex flex-col gap-2">
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished turn never changes
            <li key={index} className="flex flex-col gap-1">
              <span className="text-muted-foreground text-xs">{t(($) => $.prompt.role[message.role])}</span>
              <WhyRaw>{message.text}</WhyRaw>
            </li>
          ))}
        </ol>
      </details>
    </WhySection>
  )
}
