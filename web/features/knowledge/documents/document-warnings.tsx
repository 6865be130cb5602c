// What a reader of a ready document should know: pages left out, a limit reached, a guessed encoding.
import { TriangleAlert } from 'lucide-react'
import { type DocumentWarning, HIDDEN_KINDS, type HiddenCounts } from '#shared/knowledge/knowledge.ts'
import { Undrawn } from '#web/components/ui/part-boundary.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { pageRanges } from './page-ranges.ts'

/** One line for each warning. */
export function DocumentWarnings({ warnings }: { warnings: DocumentWarning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="mt-1 flex max-w-prose flex-col gap-1 text-[0.8125rem] text-warning-soft-foreground">
      {warnings.map((warning) => (
        <li key={JSON.stringify(warning)} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <WarningText warning={warning} />
        </li>
      ))}
    </ul>
  )
}

function WarningText({ warning }: { warning: DocumentWarning }) {
  const { t } = useTranslation('knowledge')
  switch (warning.kind) {
    case 'no_text_layer':
    case 'unreadable_text_layer':
      return t(($) => $.warning[warning.kind], { count: warning.pages.length, pages: pageRanges(warning.pages) })
    case 'limit_reached':
      return limitText(warning.limit, warning.kept)
    case 'ragged_rows':
      return t(($) => (warning.sheet ? $.warning.ragged_rows_of_sheet : $.warning.ragged_rows), {
        count: warning.count,
        rows: pageRanges(warning.rows) + (warning.count > warning.rows.length ? '…' : ''),
        sheet: warning.sheet ?? '',
      })
    case 'encoding_guessed':
      return t(($) => $.warning.encoding_guessed, { encoding: warning.encoding })
    case 'running_lines':
      return t(($) => $.warning.running_lines, { count: warning.count, sample: warning.sample })
    case 'same_file':
      return t(($) => $.warning.same_file, { name: warning.name })
    case 'hidden':
      return t(($) => (warning.isIncluded ? $.warning.hidden_included : $.warning.hidden), {
        what: hiddenText(warning.counts),
      })
    default:
      warning satisfies never
      return <Undrawn />
  }

  function hiddenText(counts: HiddenCounts): string {
    return HIDDEN_KINDS.flatMap((kind) => {
      const count = counts[kind]
      return count ? [t(($) => $.warning.hiddenCounts[kind], { count })] : []
    }).join(', ')
  }

  function limitText(limit: 'pages' | 'rows' | 'characters', count: number): string {
    if (limit === 'pages') return t(($) => $.warning.limit_pages, { count })
    return limit === 'rows'
      ? t(($) => $.warning.limit_rows, { count })
      : t(($) => $.warning.limit_characters, { count })
  }
}
