// The integrations that are listed, and whether they can be used.

/** `comingSoon`: it is planned, and nothing of it can be used yet. */
type Availability = 'available' | 'beta' | 'premium' | 'comingSoon'

export const INTEGRATIONS = [
  'googleCalendar',
  'webSearch',
  'api',
  'http',
  'outlookCalendar',
  'bitrix24',
  'amocrm',
] as const
export type Integration = (typeof INTEGRATIONS)[number]

/** What each one is, in the order of the list. */
export const AVAILABILITY: Readonly<Record<Integration, Availability>> = {
  googleCalendar: 'available',
  webSearch: 'available',
  api: 'available',
  http: 'available',
  outlookCalendar: 'comingSoon',
  bitrix24: 'comingSoon',
  amocrm: 'comingSoon',
}
