// Links of invitations, and what state an invitation is in.
import { createHash, randomBytes } from 'node:crypto'
import type { InviteState } from '#shared/organizations/members.ts'

const BYTES = 32
const DAY_MS = 86_400_000

/** A new secret of a link: 256 random bits. Only its hash is kept. */
export function newInviteToken(): { token: string; hash: string } {
  const token = randomBytes(BYTES).toString('base64url')
  return { token, hash: hashOfInvite(token) }
}

/** The stored hash of a link's secret. Without salt or stretching: 256 random bits cannot be guessed. */
export function hashOfInvite(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The page of an invitation, as letters name it. */
export function invitePath(token: string): string {
  return `/invite?token=${token}`
}

/** The same with the address of the installation. */
export function inviteLink(publicUrl: string, token: string): string {
  return publicUrl + invitePath(token)
}

/** When a link that is sent now ends to work. */
export function inviteExpiry(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}

type Moments = { accepted_at: Date | null; revoked_at: Date | null; expires_at: Date }

/** The state of an invitation at a moment. */
export function inviteState({ accepted_at, revoked_at, expires_at }: Moments, now: Date): InviteState {
  if (accepted_at) return 'accepted'
  if (revoked_at) return 'revoked'
  return expires_at.getTime() <= now.getTime() ? 'expired' : 'pending'
}
