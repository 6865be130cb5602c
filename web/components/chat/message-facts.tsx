// Facts of the model call behind an answer: model, tokens, cost, latency. What is unknown says so.

import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { formatCost, formatDuration, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type Generation = NonNullable<Message['generation']>

type MessageFactsProps = {
  generation: Generation
  /** What people call the model of this name. */
  modelLabel: (name: string) => string
}

/** One quiet line under an answer. */
export function MessageFacts({ generation, modelLabel }: MessageFactsProps) {
  const { t } = useTranslation('conversations')
  const { inputTokens, outputTokens, firstTokenMs } = generation
  const hasTokens = inputTokens !== null && outputTokens !== null
  return (
    <ul
      aria-label={t(($) => $.facts.title)}
      className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-muted-foreground text-xs tabular-nums"
    >
      <li>{modelLabel(generation.model)}</li>
      {generation.model !== EXTRACTIVE_MODEL && (
        <li>
          {hasTokens
            ? t(($) => $.facts.tokens, { input: formatNumber(inputTokens), output: formatNumber(outputTokens) })
            : t(($) => $.facts.tokensUnknown)}
        </li>
      )}
      <li>
        <Cost microUsd={generation.costMicroUsd} />
      </li>
      <li>
        <span title={t(($) => $.facts.latency)}>{formatDuration(generation.latencyMs)}</span>
        {firstTokenMs !== null && generation.model !== EXTRACTIVE_MODEL && (
          <span> ({t(($) => $.facts.firstToken, { time: formatDuration(firstTokenMs) })})</span>
        )}
      </li>
    </ul>
  )
}

function Cost({ microUsd }: { microUsd: number | null }) {
  const { t } = useTranslation('conversations')
  if (microUsd === null) {
    return (
      <Tooltip content={t(($) => $.facts.costUnknownHelp)}>
        <button type="button" className="cursor-help rounded-sm underline decoration-dotted underline-offset-2">
          {t(($) => $.facts.costUnknown)}
        </button>
      </Tooltip>
    )
  }
  return microUsd === 0 ? t(($) => $.facts.free) : formatCost(microUsd / 1e6)
}
