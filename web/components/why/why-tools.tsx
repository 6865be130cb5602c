// What the model has called while it answered.
import type { TraceToolCall } from '#shared/messaging/trace.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyRaw, WhySection } from './why-section.tsx'

/** In the order of the calls, with arguments and results as they were. */
export function WhyTools({ tools, leftOut = 0 }: { tools: TraceToolCall[]; leftOut?: number | undefined }) {
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
              {tool.hasFailed && (
                <Badge tone="destructive">{tool.refusal ? t(($) => $.tools.refused) : t(($) => $.tools.failed)}</Badge>
              )}
              <span className="text-muted-foreground text-xs">{formatDuration(tool.durationMs)}</span>
            </p>
            {tool.refusal && <Fact>{t(($) => $.tools.refusal[tool.refusal ?? 'bad_arguments'])}</Fact>}
            {tool.asked && <Fact>{t(($) => $.tools.asked[tool.asked ?? 'customer'])}</Fact>}
            {tool.agreedBy && <Fact>{t(($) => $.tools.agreedBy[tool.agreedBy ?? 'customer'])}</Fact>}
            {tool.http && <HttpFacts http={tool.http} />}
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
      {leftOut > 0 && <p className="text-muted-foreground text-xs">{t(($) => $.tools.leftOut, { count: leftOut })}</p>}
    </WhySection>
  )
}

/** Where a tool of the organization has called, what came, and which arguments the model did not choose. */
function HttpFacts({ http }: { http: NonNullable<TraceToolCall['http']> }) {
  const { t } = useTranslation('why')
  const { host, status, failure, bound } = http
  return (
    <p className="flex flex-wrap gap-x-2 text-muted-foreground text-xs">
      <code className="break-all">{host}</code>
      {status !== null && <span>{t(($) => $.tools.status, { status })}</span>}
      {failure && <span>{t(($) => $.tools.failure[failure])}</span>}
      {bound.length > 0 && <span>{t(($) => $.tools.bound, { names: bound.join(', ') })}</span>}
    </p>
  )
}

function Fact({ children }: { children: string }) {
  return <p className="text-muted-foreground text-xs">{children}</p>
}
