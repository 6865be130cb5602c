// Where in its file a passage stands, in words.
import type { ChunkPlace } from '#shared/knowledge/chunks.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Of a place that older messages know only in part. */
export type KnownPlace = Partial<ChunkPlace> & Pick<ChunkPlace, 'page'>

/** A function that says "page 4", "pages 4–5" or "Prices, rows 3–12"; null where there is nothing to say. Needs texts `conversations`. */
export function usePlaceText(): (place: KnownPlace) => string | null {
  const { t } = useTranslation('conversations')
  return ({ page, lastPage, sheet, firstRow, lastRow }) => {
    if (page !== null) {
      return lastPage && lastPage !== page
        ? t(($) => $.place.pages, { first: page, last: lastPage })
        : t(($) => $.place.page, { page })
    }
    if (!firstRow) return sheet ?? null
    const rows =
      lastRow && lastRow !== firstRow
        ? t(($) => $.place.rows, { first: firstRow, last: lastRow })
        : t(($) => $.place.row, { row: firstRow })
    return sheet ? `${sheet}, ${rows}` : rows
  }
}
