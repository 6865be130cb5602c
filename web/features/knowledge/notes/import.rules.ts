// Parses the rows of a CSV file into notes: the meaning of columns, and the errors of rows.
import type { Fragment } from '#shared/knowledge/knowledge.ts'
import { ALSO_ASKED_AS_MAX, ALSO_ASKED_AS_MAX_ITEMS, FRAGMENT_CONTENT_MAX, FRAGMENT_NAME_MAX } from '#shared/limits.ts'

export type ImportedNote = Pick<Fragment, 'name' | 'content' | 'alsoAskedAs'>
/** Column numbers, from 0; `wordings` null: the file has none. */
export type ImportColumns = { hasHeader: boolean; name: number; content: number; wordings: number | null }
export type RowProblem = 'nameMissing' | 'contentMissing' | 'nameTooLong' | 'contentTooLong' | 'repeated'
/** `row` is the row number shown in spreadsheets, counting the header. */
export type RowError = { row: number; problem: RowProblem; name: string }

const NAMES = /^(?:question|name|title|heading|вопрос|название|заголовок|тема)/iu
const CONTENTS = /^(?:answer|content|text|reply|ответ|содержание|текст)/iu
const WORDINGS = /^(?:also|other|synonym|variant|wording|также|друг|синоним|вариант|формулировк)/iu
/** Separates the wordings in a cell. */
const SEPARATOR = /[|;\n]/

/** By the titles of the first row, where known; otherwise question first, answer second. */
export function guessColumns(rows: string[][]): ImportColumns {
  const header = (rows[0] ?? []).map((cell) => cell.trim())
  const at = (pattern: RegExp) => header.findIndex((cell) => pattern.test(cell))
  const [name, content, wordings] = [at(NAMES), at(CONTENTS), at(WORDINGS)]
  const hasHeader = name >= 0 && content >= 0
  return hasHeader
    ? { hasHeader, name, content, wordings: wordings < 0 ? null : wordings }
    : { hasHeader, name: 0, content: 1, wordings: null }
}

/** The notes of valid rows, and the errors of the others. Empty rows are skipped. */
export function readNotes(rows: string[][], columns: ImportColumns): { notes: ImportedNote[]; errors: RowError[] } {
  const notes: ImportedNote[] = []
  const errors: RowError[] = []
  const names = new Set<string>()
  for (const [index, cells] of rows.entries()) {
    if ((columns.hasHeader && index === 0) || cells.every((cell) => cell.trim() === '')) continue
    const note = noteOf(cells, columns)
    const problem = problemOf(note) ?? (names.has(note.name.toLowerCase()) ? 'repeated' : null)
    if (problem) errors.push({ row: index + 1, problem, name: note.name })
    else {
      names.add(note.name.toLowerCase())
      notes.push(note)
    }
  }
  return { notes, errors }
}

function noteOf(cells: string[], { name, content, wordings }: ImportColumns): ImportedNote {
  const cell = (column: number) => (cells[column] ?? '').trim()
  const parts = wordings === null ? [] : cell(wordings).split(SEPARATOR)
  const alsoAskedAs = [...new Set(parts.map((wording) => wording.trim().slice(0, ALSO_ASKED_AS_MAX)))].filter(Boolean)
  return { name: cell(name), content: cell(content), alsoAskedAs: alsoAskedAs.slice(0, ALSO_ASKED_AS_MAX_ITEMS) }
}

function problemOf({ name, content }: ImportedNote): RowProblem | null {
  if (name === '') return 'nameMissing'
  if (content === '') return 'contentMissing'
  if (name.length > FRAGMENT_NAME_MAX) return 'nameTooLong'
  return content.length > FRAGMENT_CONTENT_MAX ? 'contentTooLong' : null
}
