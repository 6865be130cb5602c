// A moment as the browser's date and time field has it: by the clock on the wall, to the minute.

/** Milliseconds since the epoch → `2026-03-01T09:30`. */
export function localMoment(at: number): string {
  const date = new Date(at)
  const local = new Date(at - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Undefined while the field is empty or incomplete. */
export function momentFrom(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined
  const at = new Date(text).getTime()
  return Number.isNaN(at) ? undefined : at
}
