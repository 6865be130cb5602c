// What of the state of the installation calls for an administrator.
import {
  type Health,
  type HealthProblem,
  LATE_MS,
  type ServerHealth,
  type StorageHealth,
} from '#shared/organizations/health.ts'

/** Less than this share of the disk, or than so many bytes, is little. */
const LOW_SHARE = 0.1
const LOW_BYTES = 1024 ** 3

type Server = Omit<ServerHealth, 'isReplaced'>

/** The servers, with those known that another has replaced on the same machine. */
export function withReplacements(servers: Server[]): ServerHealth[] {
  const isReplaced = (gone: Server) =>
    servers.some(({ isGone, host, startedAt }) => !isGone && host === gone.host && startedAt > gone.startedAt)
  return servers.map((server) => ({ ...server, isReplaced: server.isGone && isReplaced(server) }))
}

/** In the order of the page. */
export function problemsOf(health: Omit<Health, 'problems'>): HealthProblem[] {
  const { at, servers, queues, deliveries, quarantine, mail } = health
  const isLate = ({ oldestAt }: { oldestAt: number | null }) => oldestAt !== null && at - oldestAt > LATE_MS
  const versions = new Set(servers.filter(({ isGone }) => !isGone).map(({ version }) => version))
  const found: [HealthProblem, boolean][] = [
    ['serverGone', servers.some(({ isGone, isReplaced }) => isGone && !isReplaced)],
    ['versionsDiffer', versions.size > 1],
    ['queueLate', queues.some(isLate)],
    ['jobsFailed', queues.some(({ failed }) => failed > 0)],
    ['deliveriesLate', isLate(deliveries)],
    ['deliveriesFailed', deliveries.failed > 0],
    ['deliveriesUnknown', deliveries.unknown > 0],
    ['quarantined', quarantine.count > 0],
    ['lettersLate', mail.tried > 0 || isLate(mail)],
    ['lettersFailed', mail.failed > 0],
    ['lettersKept', !mail.isConfigured && mail.kept > 0],
  ]
  return found.flatMap(([problem, isThere]) => (isThere ? [problem] : []))
}

/** The same of what is stored. */
export function storageProblemsOf({
  freeBytes,
  totalBytes,
}: Pick<StorageHealth['files'], 'freeBytes' | 'totalBytes'>): HealthProblem[] {
  return freeBytes < LOW_BYTES || freeBytes < totalBytes * LOW_SHARE ? ['diskLow'] : []
}
