// How better-auth's models are stored: our table and column names, our ids.
import type { BetterAuthOptions } from 'better-auth'
import { newId } from '#server/platform/lib/ids.ts'

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** Models, fields and ids for better-auth. Tokens that a provider gave are stored encrypted. */
export const storage = {
  user: {
    modelName: 'users',
    fields: { emailVerified: 'email_verified', ...timestamps },
    additionalFields: { role: { type: 'string' as const, input: false, required: false, defaultValue: 'user' } },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...timestamps,
    },
    cookieCache: { enabled: false },
  },
  account: {
    modelName: 'accounts',
    fields: {
      accountId: 'account_id',
      providerId: 'provider_id',
      userId: 'user_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...timestamps,
    },
    encryptOAuthTokens: true,
  },
  verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...timestamps } },
} satisfies Partial<BetterAuthOptions>

/** How the library of passkeys stores them. */
export const passkeyStorage = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      userId: 'user_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
}

/** Where the counters of the limiter are kept. */
export const rateLimitStorage = {
  storage: 'database' as const,
  modelName: 'auth_rate_limits',
  fields: { lastRequest: 'last_request' },
} satisfies BetterAuthOptions['rateLimit']

/** Rows of better-auth get ids like all others. */
export const generateId = (): string => newId()
