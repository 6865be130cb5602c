// What differs between two versions of an agent, setting by setting.
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

/** A value of a setting, as simple as it can be shown. */
export type SettingValue = string | number | boolean | null
/** One setting that differs; `path` as in `handoff.customer.stop`. */
export type SettingChange = { path: string; before: SettingValue; after: SettingValue }

/** Every setting that differs, in the order of the settings. The instructions are compared word by word elsewhere. */
export function compareSettings(before: AgentSettings, after: AgentSettings): SettingChange[] {
  const old = flatten(before)
  return [...flatten(after)].flatMap(([path, value]) => {
    const previous = old.get(path) ?? null
    return path === 'systemPrompt' || previous === value ? [] : [{ path, before: previous, after: value }]
  })
}

/** Durations in minutes. */
function flatten(settings: AgentSettings): Map<string, SettingValue> {
  const flat = new Map<string, SettingValue>()
  const add = (path: string, value: unknown) => {
    if (isSection(value)) for (const [key, inner] of Object.entries(value)) add(path ? `${path}.${key}` : key, inner)
    else flat.set(path, path.endsWith('Ms') && typeof value === 'number' ? value / 60_000 : toValue(value))
  }
  add('', settings)
  return flat
}

function isSection(value: unknown): value is Record<string, unknown> {
  // Hours from and to belong together.
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('from' in value)
}

function toValue(value: unknown): SettingValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (isHours(value)) return value.map((hours, day) => `${day + 1}: ${spans(hours)}`).join('; ')
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return JSON.stringify(value)
}

function isHours(value: unknown): value is number[][] {
  return Array.isArray(value) && value.length === 7 && value.every((day) => Array.isArray(day))
}

/** Hours as spans: 9–12, 14. */
function spans(hours: number[]): string {
  const sorted = [...new Set(hours)].sort((a, b) => a - b)
  const found: [number, number][] = []
  for (const hour of sorted) {
    const last = found.at(-1)
    if (last && last[1] === hour) last[1] = hour + 1
    else found.push([hour, hour + 1])
  }
  return found.map(([from, to]) => `${from}–${to}`).join(', ') || '–'
}
