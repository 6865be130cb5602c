// What tables of several sheets of one file are called. Pure.
import { DOCUMENT_NAME_MAX } from '#shared/limits.ts'

/** Between the name of a file and that of its sheet. */
const DIVIDER = ' · '

/** What a table's file is called. */
export function fileNameOf({ name, sheet }: { name: string; sheet: string | null }): string {
  const ending = DIVIDER + sheet
  return sheet !== null && name.endsWith(ending) ? name.slice(0, -ending.length) : name
}

/** The name of a table that is made of another sheet of the same file. */
export function nameOfSheet(table: { name: string; sheet: string | null }, other: string): string {
  const ending = DIVIDER + other
  return (
    fileNameOf(table)
      .slice(0, DOCUMENT_NAME_MAX - ending.length)
      .toWellFormed() + ending
  )
}
