// Why a table is in state error, in words.
import type { DataTable } from '#shared/knowledge/tables.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** A function that says why the analysis or the import has failed; null for a table in another state. */
export function useFailureText(): (table: DataTable) => string | null {
  const { t } = useTranslation('tables')
  const { t: tKnowledge } = useTranslation('knowledge')
  return ({ status, isAnalyzed, errorReason, chunks }) => {
    if (status !== 'error') return null
    if (!isAnalyzed) return tKnowledge(($) => $.reason[errorReason ?? 'failed'], { line: 1, column: 1 })
    return chunks.total === null
      ? t(($) => $.import.failedEarly)
      : t(($) => $.import.failed, { count: chunks.total - chunks.ready })
  }
}
