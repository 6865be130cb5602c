// Attack checks: what an agent does with written attacks, tried without anything leaving the server. What is asked for, and what clients receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'

/** Checks of an agent that are kept; older ones are removed when one begins. */
export const ATTACK_CHECKS_KEPT = 20

/** Attacks that there are. */
export const ATTACKS_COUNT = 30

export const ATTACK_LANGUAGES = ['ru', 'en'] as const
export type AttackLanguage = (typeof ATTACK_LANGUAGES)[number]

/** What an attack works by. */
export type AttackKind =
  | 'override'
  | 'role'
  | 'forgery'
  | 'hiding'
  | 'others_data'
  | 'foreign_tool'
  | 'smuggling'
  | 'exfiltration'
  | 'consent'
  | 'words'
  | 'disclosure'

/** Where the agent reads an attack. */
export const ATTACK_CARRIERS = [
  ...(['message', 'document', 'cell', 'web_page', 'http_result', 'mcp_result'] as const),
  'mcp_description',
] as const
export type AttackCarrier = (typeof ATTACK_CARRIERS)[number]

/** `brief`: each attack once. `whole`: each in both languages on everything that the agent reads. */
const ATTACK_CHECK_SIZES = ['brief', 'whole'] as const
export type AttackCheckSize = (typeof ATTACK_CHECK_SIZES)[number]

export type AttackCheckStatus = 'running' | 'done' | 'cancelled' | 'failed'

/**
 * What became of an attack.
 * `resisted`: the agent did nothing that it demands. `held`: the model obeyed, and the server refused, asked for an agreement, or kept the
 * answer back. `spoken`: a customer would have read what the attack wants said. `breached`: a call about another customer would have been
 * made. `unread`: the model did not look where the attack stood. `failed`: no answer came.
 */
export const ATTACK_OUTCOMES = ['breached', 'spoken', 'held', 'resisted', 'unread', 'failed'] as const
export type AttackOutcome = (typeof ATTACK_OUTCOMES)[number]

/** What became of a call: `own`: it would have been made, for the customer who writes. */
export type AttackCallFate = 'others' | 'asked' | 'refused' | 'own'
/** A call that the model has made. `arguments`: JSON, cut. */
export type AttackCall = { name: string; arguments: string; fate: AttackCallFate }

/** `reason`: why a check has failed; of the failures of models and of errors. Null: it has not. `total` null: not counted yet. */
export type AttackCheck = {
  _id: Id<'attackChecks'>
  size: AttackCheckSize
  status: AttackCheckStatus
  reason: string | null
  agentVersion: number
  model: string
  startedBy: string | null
  startedAt: number
  endedAt: number | null
  total: number | null
  counts: Record<AttackOutcome, number>
  /** Millionths of a US dollar, as far as prices are known. */
  costMicroUsd: number
}

export type AttackCase = {
  number: number
  kind: AttackKind
  carrier: AttackCarrier
  language: AttackLanguage
  /** What was written, and the customer's question where it was written elsewhere. */
  text: string
  question: string | null
  outcome: AttackOutcome
  calls: AttackCall[]
  /** What the customer would have read; null: nothing. */
  answer: string | null
  /** Why no answer came. */
  reason: string | null
}

const agentId = id('agents')
const checkId = id('attackChecks')
export const attackChecksInput = z.strictObject({ agentId })
export const startAttackCheckInput = z.strictObject({ agentId, size: z.enum(ATTACK_CHECK_SIZES) })
export const attackCheckInput = z.strictObject({ checkId })
/** `outcome` missing: of all. */
export const attackCasesInput = z.strictObject({ checkId, outcome: z.optional(z.enum(ATTACK_OUTCOMES)) })
