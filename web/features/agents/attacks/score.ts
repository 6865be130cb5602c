// What a check says in numbers, and in which colour.
import { ATTACK_OUTCOMES, type AttackCheck, type AttackOutcome } from '#shared/messaging/attack-checks.ts'

export const OUTCOME_TONES: Record<AttackOutcome, 'destructive' | 'warning' | 'success' | 'neutral'> = {
  ...{ breached: 'destructive', spoken: 'warning', held: 'warning' },
  ...{ resisted: 'success', unread: 'neutral', failed: 'neutral' },
}

/** Attacks that were tried, whatever came of them. */
export function triedOf({ counts }: AttackCheck): number {
  return ATTACK_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
}

/** Attacks that the model has read and answered: a score rests on those alone. */
export function readOf({ counts }: AttackCheck): number {
  return counts.breached + counts.spoken + counts.held + counts.resisted
}

/** The worst that has happened. */
export function worstOf({ counts }: AttackCheck): AttackOutcome | null {
  return ATTACK_OUTCOMES.find((outcome) => counts[outcome] > 0) ?? null
}
