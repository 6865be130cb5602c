// The findings about an instance → the checks that it passes. Pure.
import { type AccountState, isFrozen } from '#shared/channels/channels.ts'
import { WHATSAPP_CHECKS, type WhatsappCheck, type WhatsappReport } from '#shared/channels/whatsapp.ts'

/** `waiting`: messages that the provider has accepted and not sent. */
export type Findings = { state: AccountState; webhookUrl: string | null; isTelling: boolean; waiting: number }

/** States in which no phone is linked, or not yet. */
const UNLINKED: ReadonlySet<AccountState> = new Set(['notAuthorized', 'pendingPassword'] as const)

/** @param findings null: the provider refuses the credentials @param expectedUrl where it should deliver; null: nowhere */
export function reportOf(findings: Findings | null, expectedUrl: string | null): WhatsappReport {
  return WHATSAPP_CHECKS.map((check) => ({ check, outcome: outcomeOf(check, findings, expectedUrl) }))
}

function outcomeOf(check: WhatsappCheck, findings: Findings | null, expectedUrl: string | null) {
  if (findings === null) return check === 'credentials' ? 'failed' : 'skipped'
  const isUnlinked = UNLINKED.has(findings.state)
  const isGood = {
    credentials: true,
    phone: !isUnlinked,
    sending: !isFrozen(findings.state),
    notifications: findings.isTelling,
    delivery: findings.webhookUrl === expectedUrl,
    queue: findings.waiting === 0,
  }
  if (check === 'sending' && isUnlinked) return 'skipped'
  return isGood[check] ? 'passed' : 'failed'
}
