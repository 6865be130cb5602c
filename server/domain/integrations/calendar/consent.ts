// The second half of a consent at Google: what came back is checked, redeemed and kept.

import type { Services } from '#server/functions/services.ts'
import { CalendarFailure, type CalendarFailureKind } from '#server/integrations/google-calendar/failures.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.store.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Agent } from '#shared/agents/agents.ts'
import {
  CALENDAR_CALLBACK,
  type CalendarEntry,
  type ChosenCalendar,
  type ConsentResult,
} from '#shared/integrations/calendar.ts'
import { clientOf, sealToken } from './access.ts'
import { type Authorization, hashOf } from './authorizations.store.ts'
import { findSealed, type NewConnection, saveConnection } from './connections.store.ts'
import { revokeLater } from './revoke.job.ts'
import { findSettings, saveSettings } from './settings.store.ts'

export type ConsentParts = Pick<Services, 'database' | 'secrets' | 'googleCalendar' | 'jobs' | 'publicUrl'>
/** `by`: who has brought it back, and from which address. */
type Redeemed = { asked: Authorization; code: string; state: string; agent: Agent; by: Caller; address: string }

const RESULTS: Readonly<Partial<Record<CalendarFailureKind, ConsentResult>>> = {
  scope: 'scope',
  unreachable: 'unreachable',
  rate_limited: 'unreachable',
  reauthorization: 'expired',
}

/** Where Google sends people back to. */
export function callbackUrlOf(publicUrl: string): string {
  return `${publicUrl}${CALENDAR_CALLBACK}`
}

/** What the verifier of a consent is bound to. */
export function verifierPlace(state: string): string {
  return `calendar_authorizations|${hashOf(state)}|verifier`
}

/** Redeems a code and connects the agent. @returns how it ended, as the page is shown it */
export async function finishConsent(parts: ConsentParts, redeemed: Redeemed): Promise<ConsentResult> {
  const { asked, code, state } = redeemed
  const google = clientOf(parts)
  const verifier = parts.secrets.decrypt(asked.verifier, verifierPlace(state))
  try {
    const grant = await google.redeem({ code, verifier, callbackUrl: callbackUrlOf(parts.publicUrl) })
    const entries = await google.listCalendars(grant.accessToken.token)
    const own = entries.find(({ isPrimary }) => isPrimary)
    if (!own) {
      await google.revoke(grant.refreshToken)
      return 'account'
    }
    await connect(parts, redeemed, { refreshToken: grant.refreshToken, own })
    return 'connected'
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    return RESULTS[error.kind] ?? 'refused'
  }
}

/** Keeps the grant. The consent of another account that the agent had before is withdrawn; what is set up stays. */
async function connect(
  { database, secrets, jobs }: ConsentParts,
  { asked, agent, by, address }: Redeemed,
  { refreshToken, own }: { refreshToken: string; own: CalendarEntry },
): Promise<void> {
  const { organizationId, agentId } = asked
  const id = newId('calendarConnections')
  const connection: NewConnection = {
    ...{ id, agentId, account: own.id, connectedBy: by.name || by.email },
    refreshToken: sealToken(secrets, id, refreshToken),
  }
  await database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    const now = new Date()
    const before = await findSealed(ctx, agentId)
    await saveConnection(ctx, connection, now)
    if (before && before.account !== own.id) await revokeLater({ db, jobs }, [before])
    const { calendars } = await findSettings(ctx, agentId)
    if (!calendars.target) await saveSettings(ctx, agentId, { calendars: beginningWith(own) }, now)
    await insertAuditEntry(ctx, {
      ...{ actor: by, action: 'integrations/calendar:connect', organizationId, address, at: now },
      resource: { kind: 'agent', id: agentId, name: agent.name },
      ...(before && { before: { calendar: before.account } }),
      after: { calendar: own.id },
      ...(by.support && { reason: by.support.reason }),
    })
  })
}

/** Until a person chooses: the account's own calendar says when it is busy, and takes the bookings. */
function beginningWith({ id, name }: CalendarEntry): { busy: ChosenCalendar[]; target: ChosenCalendar } {
  return { busy: [{ id, name }], target: { id, name } }
}
