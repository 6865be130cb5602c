// The short-lived tokens of the realtime connection: signed and checked with our own Ed25519 keys, nothing fetched.
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import { isOutage } from '#server/platform/db/engine/engine.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import { TOKEN_LIFETIME_SECONDS } from '#shared/limits.ts'
import { insertKey, listKeys } from './signing-keys.store.ts'

const ALGORITHM = 'EdDSA'
const AUDIENCE = 'sync'
/** An unknown key id makes us look into the database, at most this often. */
const RELOAD_AFTER_MS = 10_000
/** How far the clocks of two servers may differ. */
const CLOCK_TOLERANCE_SECONDS = 5

/** Whom a token names. That the session still stands must be read from the database. */
export type TokenIdentity = {
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  /** The organization that it is for; null: the one that the session works in. */
  namedOrganizationId: Id<'organizations'> | null
  expiresAt: number
}

export interface RealtimeTokens {
  /** A token of ten minutes. `expiresAt` in milliseconds since the epoch. */
  sign(
    userId: string,
    sessionId: string,
    namedOrganizationId: Id<'organizations'> | null,
  ): Promise<{ token: string; expiresAt: number }>
  /** Null for anything but an unexpired token that this installation signed for the realtime connection. */
  verify(token: string): Promise<TokenIdentity | null>
  /** The public keys, as a JSON Web Key Set. */
  publicKeys(): JWK[]
}

/** What the library does not check: kinds of values, our own type, and that the audience is no list. */
const claims = z.object({
  sub: z.string(),
  sid: z.string(),
  org: z.string().optional(),
  exp: z.number(),
  typ: z.literal(AUDIENCE),
  aud: z.literal(AUDIENCE),
})

type Key = { id: string; public: CryptoKey; private: CryptoKey; jwk: JWK }

/** Loads the keys of the installation, making one when there is none. */
export async function createRealtimeTokens(
  database: Database,
  secrets: Secrets,
  issuer: string,
): Promise<RealtimeTokens> {
  let keys = await loadKeys(database, secrets)
  if (keys.length === 0) {
    await makeKey(database, secrets)
    keys = await loadKeys(database, secrets)
  }
  let loadedAt = Date.now()

  async function keyFor(id: string | undefined): Promise<CryptoKey> {
    if (!keys.some((key) => key.id === id) && Date.now() - loadedAt > RELOAD_AFTER_MS) {
      loadedAt = Date.now()
      keys = await loadKeys(database, secrets)
    }
    const found = keys.find((key) => key.id === id)
    if (!found) throw new Error('unknown key')
    return found.public
  }

  return {
    async sign(userId, sessionId, namedOrganizationId) {
      const key = keys[0]
      if (!key) throw new Error('there is no signing key')
      const now = Math.floor(Date.now() / 1000)
      const token = await new SignJWT({
        sid: sessionId,
        typ: AUDIENCE,
        ...(namedOrganizationId && { org: namedOrganizationId }),
      })
        .setProtectedHeader({ alg: ALGORITHM, kid: key.id, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
        .sign(key.private)
      return { token, expiresAt: (now + TOKEN_LIFETIME_SECONDS) * 1000 }
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, (header) => keyFor(header.kid), {
          algorithms: [ALGORITHM],
          issuer,
          audience: AUDIENCE,
          typ: 'JWT',
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          maxTokenAge: TOKEN_LIFETIME_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        })
        const { sub, sid, org = null, exp } = claims.parse(payload)
        return {
          userId: sub as Id<'users'>,
          sessionId: sid as Id<'sessions'>,
          namedOrganizationId: org as Id<'organizations'> | null,
          expiresAt: exp * 1000,
        }
      } catch (error) {
        if (isOutage(error)) throw error // of a key that is not known yet
        return null
      }
    },
    publicKeys: () => keys.map((key) => key.jwk),
  }
}

async function makeKey(database: Database, secrets: Secrets): Promise<void> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const id = newId()
  const privateKey = JSON.stringify(await exportJWK(pair.privateKey))
  await insertKey(database.root, {
    id,
    publicKey: JSON.stringify(await exportJWK(pair.publicKey)),
    privateKey: secrets.encrypt(privateKey, placeOf(id)),
  })
}

async function loadKeys(database: Database, secrets: Secrets): Promise<Key[]> {
  const stored = await listKeys(database.root)
  return Promise.all(
    stored.map(async ({ id, publicKey, privateKey }) => {
      const publicJwk: JWK = JSON.parse(publicKey)
      return {
        id,
        public: await importKey(publicJwk),
        private: await importKey(JSON.parse(secrets.decrypt(privateKey, placeOf(id)))),
        jwk: { ...publicJwk, kid: id, alg: ALGORITHM, use: 'sig' },
      }
    }),
  )
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('a signing key must be asymmetric')
  return key
}

function placeOf(id: string): string {
  return `jwks|${id}|private_key`
}
