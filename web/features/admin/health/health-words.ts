// Where each problem stands on the page, and what background jobs belong to.
import type { HealthProblem } from '#shared/organizations/health.ts'

/** The sections of the page, in order, with the problems that each may show. */
export const SECTIONS = {
  servers: ['serverGone', 'versionsDiffer'],
  queues: ['queueLate', 'jobsFailed'],
  deliveries: ['deliveriesLate', 'deliveriesFailed', 'deliveriesUnknown'],
  quarantine: ['quarantined'],
  mail: ['lettersLate', 'lettersFailed', 'lettersKept'],
  storage: ['diskLow'],
} as const satisfies Record<string, readonly HealthProblem[]>
export type SectionName = keyof typeof SECTIONS

/** The section that shows a problem. */
export function sectionOf(problem: HealthProblem): SectionName {
  const names = Object.keys(SECTIONS) as SectionName[]
  return names.find((name) => (SECTIONS[name] as readonly HealthProblem[]).includes(problem)) ?? 'servers'
}

/** What queues are about, by the first word of their names; all others are upkeep. */
const AREAS = [
  'alerts',
  'api',
  'billing',
  'channels',
  'clock',
  'conversations',
  'knowledge',
  'letters',
  'organizations',
  'pipeline',
] as const
type Area = (typeof AREAS)[number] | 'upkeep'

/** A queue's part of the product, and its name without the id of the file store that it is bound to. */
export function partsOfQueue(queue: string): { area: Area; name: string } {
  const name = queue.replace(/\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '')
  return { area: AREAS.find((area) => name.startsWith(`${area}.`)) ?? 'upkeep', name }
}
