// A moment as the browser's date and time field has it: by the clock on a wall of the organization, to the minute.

/** Milliseconds since the epoch → `2026-03-01T09:30`. @param timeZone IANA name */
export function localMoment(at: number, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** Undefined while the field is empty or incomplete. An hour that the clocks leave out is the one after it. */
export function momentFrom(text: string, timeZone: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return undefined
  const wall = Date.parse(`${text}Z`)
  if (Number.isNaN(wall)) return undefined
  const offset = (at: number) => Date.parse(`${localMoment(at, timeZone)}Z`) - at
  // The clocks may change between the first guess and the moment itself.
  const guess = wall - offset(wall)
  return wall - offset(guess)
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
}
