// Decisions about alerts: on which ways one is sent, and when.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import {
  type AlertKind,
  type AlertSettings,
  defaultAlerts,
  isQuiet,
  type OutsideWay,
} from '#shared/organizations/alerts.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'

/** Language of a person who has not opened Parley since it records the language. */
const FALLBACK_LANGUAGE = 'ru'
const RETRY_MS = 60_000
const ATTEMPTS_MAX = 5
/** Hours begin with a quarter in every time zone. */
const QUARTER_MS = 900_000
const QUARTERS_A_DAY = 96

/** What holds for a person: what they have chosen, and the default for the rest. */
export function settingsOf(
  chosen: Partial<AlertSettings> | null,
  { role, timeZone }: { role: OrganizationRole; timeZone: string },
): AlertSettings {
  const all = defaultAlerts(role, { timeZone, language: FALLBACK_LANGUAGE })
  return { ...all, ...chosen, ways: { ...all.ways, ...chosen?.ways } }
}

/** Whether a version, such as 1.10.0, is a later one than another. */
export function isNewerVersion(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0
}

/** Ways of a kind that lead out of Parley. */
export function outsideWays(settings: AlertSettings, kind: AlertKind): OutsideWay[] {
  return settings.ways[kind].filter((way): way is OutsideWay => way !== 'browser')
}

/** The first moment from `now` on at which the person may be disturbed, milliseconds. */
export function undisturbedFrom(settings: Pick<AlertSettings, 'quietHours' | 'timeZone'>, now: number): number {
  const { quietHours, timeZone } = settings
  let at = now
  for (let quarter = 0; quarter < QUARTERS_A_DAY; quarter++) {
    if (!isQuiet(quietHours, wallClock(at, timeZone).hour)) return at
    at = (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS
  }
  return at
}

/** Milliseconds after which something that was definitely not taken is sent again; null: not any more. */
export function retryAfterMs(attempts: number): number | null {
  return attempts < ATTEMPTS_MAX ? RETRY_MS * 2 ** (attempts - 1) : null
}
