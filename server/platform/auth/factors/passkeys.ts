// Passkeys: which sites they belong to, and that the device has verified its person. Such a sign-in needs no second step.
import { passkey } from '@better-auth/passkey'
import { APIError, type createAuthMiddleware } from 'better-auth/api'
import { z } from 'zod'
import { passkeyStorage } from '../schema.ts'
import { demandHolder, demandRecentProof, type ProofParts } from './proof-rules.ts'

type Parts = ProofParts & { publicUrl: string; allowedOrigins: string[]; productName(): string }

const NAME_MAX = 100
const named = z.looseObject({ name: z.string().trim().min(1).max(NAME_MAX).optional() })

/** The plugin for the public address, and for other sites under the same host name. */
export function passkeys(parts: Parts) {
  const { hostname, origin } = new URL(parts.publicUrl)
  return passkey({
    rpID: hostname,
    rpName: parts.productName(),
    origin: [origin, ...parts.allowedOrigins],
    schema: passkeyStorage,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) => demandVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) => demandVerified(verification.authenticationInfo.userVerified),
    },
  })
}

/** Runs before the plugin's endpoints. @throws APIError for a change of passkeys without a recent proof, and for a bad name */
export async function beforePasskey(parts: ProofParts, ctx: HookContext) {
  if (!named.safeParse(ctx.body ?? {}).success)
    throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: 'Invalid name' })
  if (!CHANGES.has(ctx.path)) return
  await demandRecentProof(parts, (await demandHolder(parts.database, ctx.headers)).id)
  if (ctx.path === '/passkey/verify-registration') return { context: { body: { ...ctx.body, createSession: false } } }
  return
}

/** What better-auth passes to a hook. */
type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

const CHANGES = new Set([
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
])

function demandVerified(isVerified: boolean | undefined): void {
  if (isVerified) return
  throw new APIError('FORBIDDEN', {
    code: 'PASSKEY_NOT_VERIFIED',
    message: 'The device must ask for its PIN, a fingerprint or a face',
  })
}
