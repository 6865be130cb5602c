// How the installation is, as its administrators see it.
import * as z from 'zod/mini'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'

const name = z.string().check(z.minLength(1), z.maxLength(200))

export const retryJobInput = z.strictObject({ queue: name, jobId: name })
export const replayInput = z.strictObject({ eventId: name })
export const replayConnectionInput = z.strictObject({ connectionId: id('channelConnections') })

/** Work that could be done and has not been begun for this long is late, milliseconds. */
export const LATE_MS = 5 * 60_000
/** Deliveries whose outcome is older are not counted, hours. */
export const DELIVERIES_HOURS = 24
/** Rows of each list of the page. */
export const HEALTH_ROWS = 10

/** What calls for an administrator, in the order of the page. */
export const HEALTH_PROBLEMS = [
  'serverGone',
  'versionsDiffer',
  'queueLate',
  'jobsFailed',
  'deliveriesLate',
  'deliveriesFailed',
  'deliveriesUnknown',
  'quarantined',
  'lettersLate',
  'lettersFailed',
  'lettersKept',
  'diskLow',
] as const
export type HealthProblem = (typeof HEALTH_PROBLEMS)[number]

/** A server process. `isGone`: no sign of life for half a minute. `isReplaced`: another was started on the same machine since. */
export type ServerHealth = {
  _id: string
  host: string
  version: string
  startedAt: number
  seenAt: number
  isGone: boolean
  isReplaced: boolean
}

/** A queue of background jobs. `oldestAt`: since when the job could run that has waited longest; null: none waits. */
export type QueueHealth = { name: string; waiting: number; running: number; failed: number; oldestAt: number | null }

/**
 * Why a job failed, without anything that it was about. `timeout`: it ran too long. `lost`: its server died or was cut off. `database`,
 * `network`: `detail` is their code. `provider`: a messenger, a model or another service refused; `detail` is the kind of refusal. `refused`: by
 * a rule of ours, whose code is `detail`. `program`: anything else; `detail` is a code or the class of the error.
 */
export type FailureCause = {
  kind: 'timeout' | 'lost' | 'database' | 'network' | 'provider' | 'refused' | 'program'
  detail: string | null
}

/** A job whose last attempt failed. `nextAt`: when it is tried again by itself; null: not any more. */
export type FailingJob = {
  queue: string
  jobId: string
  attempts: number
  failedAt: number | null
  nextAt: number | null
  cause: FailureCause
}

type Named = { _id: Id<'organizations'>; name: string }

/** Parts of messages of all organizations. `oldestAt`: since when the part is due that has waited longest; null: none is due. */
export type DeliveryHealth = {
  waiting: number
  failed: number
  unknown: number
  oldestAt: number | null
  /** Those with the most undelivered first. */
  organizations: (Named & { waiting: number; failed: number; unknown: number })[]
}

/** A connection some of whose notifications are put aside. `requested`: how many of them are being taken in again. */
export type QuarantineConnection = {
  _id: Id<'channelConnections'>
  organization: Named
  channel: Exclude<Channel, 'test'>
  identifier: string
  count: number
  requested: number
  latestAt: number
}

/** A notification that is put aside; what it says is shown to its organization only. */
export type QuarantinedEvent = {
  eventId: string
  connectionId: Id<'channelConnections'>
  at: number
  sizeBytes: number
  isRequested: boolean
}

type QuarantineHealth = {
  count: number
  connections: QuarantineConnection[]
  /** The newest first. */
  latest: QuarantinedEvent[]
}

/**
 * Letters of the last days. `tried`: those that wait after a failed attempt. `kept`: those with a link that a person waits for, which were not sent
 * because no mail server is set up.
 */
export type MailHealth = {
  isConfigured: boolean
  waiting: number
  tried: number
  failed: number
  kept: number
  oldestAt: number | null
  lastSentAt: number | null
}

/** What is cheap to know. `at`: when it was read. */
export type Health = {
  at: number
  servers: ServerHealth[]
  queues: QueueHealth[]
  failing: FailingJob[]
  deliveries: DeliveryHealth
  quarantine: QuarantineHealth
  mail: MailHealth
  problems: HealthProblem[]
}

/** A kind of statement. `text` has placeholders where values stood. */
export type SlowStatement = { text: string; calls: number; meanMs: number; totalMs: number }

/**
 * `on`: they are counted. `off`: the extension pg_stat_statements is not installed or not loaded. `hidden`: this server may not read them;
 * `role` is the one to be granted the right.
 */
export type StatementHealth =
  | { state: 'on'; slowest: SlowStatement[] }
  | { state: 'off' }
  | { state: 'hidden'; role: string }

/** What takes a moment to measure. `host`: the machine whose disk was looked at. */
export type StorageHealth = {
  database: { sizeBytes: number; tables: { name: string; sizeBytes: number; rows: number | null }[] }
  statements: StatementHealth
  files: { count: number; sizeBytes: number; freeBytes: number; totalBytes: number; host: string }
  problems: HealthProblem[]
}
