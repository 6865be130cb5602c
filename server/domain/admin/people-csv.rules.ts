// The people of the installation as a table for spreadsheets.
import { BYTE_ORDER_MARK, csvRow } from '#shared/csv.ts'
import type { AdminPerson } from '#shared/organizations/admin.ts'

type Language = 'ru' | 'en'

const HEADINGS: Record<Language, string[]> = {
  ru: [
    ...['Имя', 'Почта', 'Роль на платформе', 'Организации', 'Двухэтапный вход', 'Сеансы'],
    ...['Был в сети (UTC)', 'Заблокирован (UTC)', 'Причина', 'Создан (UTC)'],
  ],
  en: [
    ...['Name', 'Email', 'Platform role', 'Organizations', 'Two-step sign-in', 'Sessions'],
    ...['Last active (UTC)', 'Locked (UTC)', 'Reason', 'Created (UTC)'],
  ],
}
const YES: Record<Language, string> = { ru: 'да', en: 'yes' }

/** Of a file that is written now. */
export function peopleFileName(now: Date): string {
  return `parley-members-${now.toISOString().slice(0, 10)}.csv`
}

/** A row for each person, in their order. */
export function peopleCsv(people: AdminPerson[], language: Language): string {
  const delimiter = language === 'ru' ? ';' : ','
  const rows = [HEADINGS[language], ...people.map((person) => cellsOf(person, language))]
  return BYTE_ORDER_MARK + rows.map((row) => csvRow(row, delimiter)).join('')
}

function cellsOf(person: AdminPerson, language: Language): string[] {
  const { name, email, role, organizations, hasTwoStep, sessions } = person
  return [
    ...[name, email, role, organizations.map((each) => each.name).join(' | ')],
    ...[hasTwoStep ? YES[language] : '', String(sessions), momentOf(person.lastActiveAt)],
    ...[momentOf(person.lockedAt), person.lockedReason ?? '', momentOf(person.createdAt)],
  ]
}

function momentOf(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString()
}
