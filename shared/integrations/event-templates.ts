// The texts of an event in a calendar: what is replaced by the facts of a booking.

/** Written `{{customer}}`. `note`: what the customer comes for. `link`: the conversation in Parley. */
export const EVENT_PLACEHOLDERS = [
  'customer',
  'phone',
  'email',
  'note',
  'agent',
  'organization',
  'channel',
  'link',
] as const
type EventPlaceholder = (typeof EVENT_PLACEHOLDERS)[number]
/** An empty text: the fact is not known. */
export type EventValues = Record<EventPlaceholder, string>

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** The names in double braces that stand for nothing, each once. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  return [...new Set(names)].filter((name) => !(EVENT_PLACEHOLDERS as readonly string[]).includes(name))
}

/** One line: a title. Facts that are not known leave no gap. */
export function fillTitle(template: string, values: EventValues): string {
  return fill(template, values)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:·–-]+|[\s,;:·–-]+$/gu, '')
}

/** Several lines; one whose facts are all unknown is left out. */
export function fillDescription(template: string, values: EventValues): string {
  const lines = template.split('\n').filter((line) => !isBlank(line, values))
  return lines
    .map((line) => fill(line, values).trimEnd())
    .join('\n')
    .trim()
}

function fill(template: string, values: EventValues): string {
  const known = new Map<string, string>(Object.entries(values))
  return template.replace(PLACEHOLDER, (whole, name: string) => known.get(name.trim())?.trim() ?? whole)
}

/** Whether a line has placeholders, and none of them a value. */
function isBlank(line: string, values: EventValues): boolean {
  const names = [...line.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  const known = new Map<string, string>(Object.entries(values))
  return names.length > 0 && names.every((name) => known.get(name)?.trim() === '')
}
