// One passage of a source, with the sentences marked that an answer or a question is about.
import { type ReactNode, useEffect, useRef } from 'react'
import type { Chunk } from '#shared/chunks.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { answeringSentences } from './answering-sentences.ts'
import { usePlaceText } from './use-place-text.ts'

type PassageProps = {
  chunk: Chunk
  /** Scrolled to and set off from the others. */
  isHighlighted: boolean
  /** The text whose words are marked in a highlighted passage. */
  about: string | undefined
  /** Buttons beside the passage. */
  actions: ReactNode
}

/** An item of a list. */
export function Passage({ chunk, isHighlighted, about, actions }: PassageProps) {
  const { t } = useTranslation('conversations')
  const placeText = usePlaceText()
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHighlighted) (ref.current?.querySelector('mark') ?? ref.current)?.scrollIntoView({ block: 'center' })
  }, [isHighlighted])
  return (
    <li
      ref={ref}
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
        {isHighlighted && about ? <Marked text={chunk.content} about={about} /> : chunk.content}
      </p>
    </li>
  )
}

function Marked({ text, about }: { text: string; about: string }) {
  const ranges = answeringSentences(text, about)
  return (
    <>
      {ranges.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark className="rounded-sm bg-warning-soft text-warning-soft-foreground">{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  )
}
