// One passage of a source, marking the sentences that an answer or a question is about.
import type { ReactNode } from 'react'
import type { Chunk } from '#shared/knowledge/chunks.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { MarkedText } from './marked-text.tsx'
import { usePlaceText } from './use-place-text.ts'

type PassageProps = {
  chunk: Chunk
  /** Set off from the other passages. */
  isHighlighted: boolean
  /** The text whose words are marked in a highlighted passage. */
  about: string | undefined
  /** Buttons next to the passage. */
  actions: ReactNode
}

/** The content of a list item. */
export function Passage({ chunk, isHighlighted, about, actions }: PassageProps) {
  const { t } = useTranslation('conversations')
  const placeText = usePlaceText()
  return (
    <div
      className={cn(
        'rounded-lg border border-border p-4',
        isHighlighted && 'border-primary bg-primary-soft/40',
        !chunk.isEnabled && 'border-dashed',
      )}
    >
      <div className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground text-xs">
        <span className="font-medium">{t(($) => $.viewer.part, { number: chunk.chunkIndex + 1 })}</span>
        {placeText(chunk) && <span>{placeText(chunk)}</span>}
        <span>{t(($) => $.viewer.tokens, { count: chunk.tokens })}</span>
        {isHighlighted && <Badge tone="primary">{t(($) => $.viewer.highlighted)}</Badge>}
        {chunk.formerIds.length > 0 && <Badge tone="neutral">{t(($) => $.viewer.edited)}</Badge>}
        {!chunk.isEnabled && <Badge tone="warning">{t(($) => $.viewer.disabled)}</Badge>}
        {actions && <span className="ms-auto flex items-center gap-1">{actions}</span>}
      </div>
      {chunk.headingPath.length > 0 && (
        <p className="mb-1 font-medium text-[0.8125rem]">{chunk.headingPath.join(' › ')}</p>
      )}
      <p className={cn('whitespace-pre-wrap break-words', !chunk.isEnabled && 'text-muted-foreground')}>
        <MarkedText text={chunk.content} about={isHighlighted ? about : undefined} />
      </p>
    </div>
  )
}
