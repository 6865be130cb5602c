// What an answer used: passages, rows of tables and pages of the web, each as a button that opens what was used of it.
import { FileText, Globe, Table2 } from 'lucide-react'
import { useState } from 'react'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { usePlaceText } from '#web/components/passages/use-place-text.ts'
import { formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { UsedRowsDialog } from './rows/used-rows-dialog.tsx'

type MessageSourcesProps = { sources: MessageSource[]; onOpen: (source: MessageSource) => void }

const CHIP =
  'inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-md border border-border bg-surface px-2 py-0.5 text-muted-foreground text-xs transition-colors hover:border-input hover:text-foreground pointer-coarse:min-h-11'

/** A row of chips, best first as the server gives them. Passages of the same page of a document share one chip. */
export function MessageSources({ sources, onOpen }: MessageSourcesProps) {
  const { t } = useTranslation('conversations')
  const placeText = usePlaceText()
  const [table, setTable] = useState<MessageSource | null>(null)
  if (sources.length === 0) return null
  const places = distinctPlaces(sources)
  return (
    <ul aria-label={t(($) => $.sources.title, { count: places.length })} className="flex flex-wrap gap-1.5">
      {places.map((source) => (
        <li key={source.chunkId} className="min-w-0 max-w-full">
          <button
            type="button"
            onClick={() => (source.rows ? setTable(source) : onOpen(source))}
            title={
              source.url ??
              (source.rows ? undefined : t(($) => $.sources.score, { percent: formatPercent(source.score) }))
            }
            aria-label={placeLabel(source)}
            className={CHIP}
          >
            <Icon of={source} />
            <span className="truncate">{source.source}</span>
            {placeText(source) && <span className="shrink-0">{placeText(source)}</span>}
          </button>
        </li>
      ))}
      <UsedRowsDialog source={table} onClose={() => setTable(null)} />
    </ul>
  )

  function placeLabel(source: MessageSource): string {
    const place = placeText(source)
    if (source.rows) return t(($) => $.sources.openRows, { name: source.source })
    return place === null
      ? t(($) => $.sources.open, { name: source.source })
      : t(($) => $.sources.openPlace, { name: source.source, place })
  }
}

function Icon({ of }: { of: MessageSource }) {
  const Shape = of.url ? Globe : of.rows ? Table2 : FileText
  return <Shape aria-hidden="true" className="size-3.5 shrink-0" />
}

/** The best passage of each document and place in it, and each table that was computed from. */
function distinctPlaces(sources: MessageSource[]): MessageSource[] {
  const places = new Map<string, MessageSource>()
  for (const source of sources) {
    const place = [source.documentId, source.page, source.sheet, source.firstRow, source.rows !== undefined].join(':')
    const known = places.get(place)
    if (!known || known.score < source.score) places.set(place, source)
  }
  return [...places.values()]
}
