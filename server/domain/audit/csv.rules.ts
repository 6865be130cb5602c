// The audit trail as a table for spreadsheets.
import { BYTE_ORDER_MARK, csvRow } from '#shared/csv.ts'
import type { AuditEntry } from '#shared/organizations/audit.ts'

type Language = 'ru' | 'en'

const HEADINGS: Record<Language, string[]> = {
  ru: [
    ...['Время (UTC)', 'Кто', 'E-mail', 'Действие', 'Объект', 'Идентификатор', 'Название', 'Было', 'Стало'],
    ...['Причина', 'Адрес', 'Организация'],
  ],
  en: [
    ...['Time (UTC)', 'Actor', 'E-mail', 'Action', 'Resource', 'Id', 'Name', 'Before', 'After'],
    ...['Reason', 'Address', 'Organization'],
  ],
}

/** Of a file that is written now. */
export function auditFileName(now: Date): string {
  return `parley-audit-${now.toISOString().slice(0, 10)}.csv`
}

/** A row for each entry, in their order. */
export function auditCsv(entries: AuditEntry[], language: Language): string {
  const delimiter = language === 'ru' ? ';' : ','
  const rows = [HEADINGS[language], ...entries.map(cellsOf)]
  return BYTE_ORDER_MARK + rows.map((row) => csvRow(row, delimiter)).join('')
}

function cellsOf({ at, actor, action, resource, before, after, reason, address, organization }: AuditEntry): string[] {
  return [
    ...[new Date(at).toISOString(), actor?.name ?? '', actor?.email ?? '', action],
    ...[resource?.kind ?? '', resource?.id ?? '', resource?.name ?? ''],
    ...[before ? JSON.stringify(before) : '', after ? JSON.stringify(after) : ''],
    ...[reason ?? '', address ?? '', organization?.name ?? organization?._id ?? ''],
  ]
}
