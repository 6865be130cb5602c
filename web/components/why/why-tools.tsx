// What the model has called while it answered.
import type { TraceToolCall } from '#shared/trace.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyRaw, WhySection } from './why-section.tsx'

/** In the order of the calls, with arguments and results as they were. */
export function WhyTools({ tools }: { tools: TraceToolCall[] }) {
  const { t } = useTranslation('why')
  if (tools.length === 0) return null
  return (
    <WhySection title={t(($) => $.tools.title)}>
      <ol className="flex flex-col gap-3">
        {tools.map((tool, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished turn never changes
          <li key={index} className="flex flex-col gap-1.5">
            <p className="flex flex-wrap items-center gap-2 text-sm">
              <code>{tool.name}</code>
              {tool.hasFailed && <Badge tone="destructive">{t(($) => $.tools.failed)}</Badge>}
              <span className="text-muted-foreground text-xs">{formatDuration(tool.durationMs)}</span>
            </p>
            <details>
              <summary className="cursor-pointer text-muted-foreground text-xs">{t(($) => $.tools.details)}</summary>
              <div className="mt-2 flex flex-col gap-2">
                <WhyRaw>{tool.arguments}</WhyRaw>
                <WhyRaw>{tool.result}</WhyRaw>
              </div>
            </details>
          </li>
        ))}
      </ol>
    </WhySection>
  )
}
