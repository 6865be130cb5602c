// Invitations as a table for spreadsheets.
import { BYTE_ORDER_MARK, csvRow } from '#shared/csv.ts'
import type { AdminInvite } from '#shared/organizations/admin-invites.ts'

type Language = 'ru' | 'en'

const HEADINGS: Record<Language, string[]> = {
  ru: [
    'Почта',
    'Организация',
    'Роль',
    'Состояние',
    'Кто пригласил',
    'Создано (UTC)',
    'Истекает (UTC)',
    'Принято (UTC)',
  ],
  en: ['Email', 'Organization', 'Role', 'Status', 'Invited by', 'Created (UTC)', 'Expires (UTC)', 'Accepted (UTC)'],
}

/** Of a file that is written now. */
export function invitesFileName(now: Date): string {
  return `parley-invitations-${now.toISOString().slice(0, 10)}.csv`
}

/** A row for each invitation, in their order. */
export function invitesCsv(invites: AdminInvite[], language: Language): string {
  const delimiter = language === 'ru' ? ';' : ','
  const rows = [HEADINGS[language], ...invites.map(cellsOf)]
  return BYTE_ORDER_MARK + rows.map((row) => csvRow(row, delimiter)).join('')
}

function cellsOf({ email, organization, role, state, invitedBy, ...at }: AdminInvite): string[] {
  const moments = [at.createdAt, at.expiresAt, at.acceptedAt].map((ms) =>
    ms === null ? '' : new Date(ms).toISOString(),
  )
  return [email, organization.name, role, state, invitedBy ?? '', ...moments]
}
