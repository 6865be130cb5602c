// Why the PostgreSQL that DATABASE_URL names cannot be used, and what to do, for the person who starts the server. Pure.
import { StartError } from '#server/platform/lib/start-error.ts'

type Address = { host: string; port: string; database: string }
type Advice = (at: Address) => string

const UNREACHABLE: Advice = ({ host, port }) =>
  `PostgreSQL does not answer at ${host}:${port}. Start it, or correct the host and port in DATABASE_URL.`
const NO_HOST: Advice = ({ host }) => `The host ${host} of DATABASE_URL cannot be found. Correct its name.`
const REFUSED_USER: Advice = () =>
  'PostgreSQL refuses the user or the password of DATABASE_URL. Correct them; in a password, @ : / # % are written as %40 %3A %2F %23 %25.'
const UNTRUSTED: Advice = ({ host }) =>
  `The certificate of PostgreSQL at ${host} is not trusted here. Name the file of its authority in DATABASE_URL (sslrootcert=…) or in NODE_EXTRA_CA_CERTS.`

const NOT_POSTGRES: Advice = ({ host, port }) =>
  `What answers at ${host}:${port} is not PostgreSQL. Correct the host and port in DATABASE_URL.`
const FOREIGN: Advice = ({ database }) =>
  `The database "${database}" holds tables of another program. Create an empty one for Parley, and name it at the end of DATABASE_URL.`

/** By the code of the driver, of PostgreSQL or of TLS. @source postgresql.org/docs/current/errcodes-appendix.html */
const ADVICE: Record<string, Advice> = {
  ECONNREFUSED: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
  '3D000': ({ database }) =>
    `PostgreSQL has no database named "${database}". Create it (createdb ${database}), or correct the name at the end of DATABASE_URL.`,
  '28000': REFUSED_USER,
  '28P01': REFUSED_USER,
  '42501': () => 'The user of DATABASE_URL may not do what Parley needs. Make it the owner of the database.',
  '25006': ({ host }) =>
    `PostgreSQL at ${host} takes no writes: it is a standby, or its database is read-only. Name the primary server in DATABASE_URL.`,
  '22P05': ({ database }) =>
    `The database "${database}" cannot hold all languages. Create one with the encoding UTF8 (createdb -E UTF8 -T template0 …), and name it in DATABASE_URL.`,
  '42P07': FOREIGN,
  '53100': ({ host }) => `The disk of PostgreSQL at ${host} is full: make room, and start Parley again.`,
  '08P01': NOT_POSTGRES,
  '53300': () =>
    'PostgreSQL has no connection left. Raise max_connections: each server of Parley needs about 20 of its own.',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
}
/** These of the driver have no code. */
const BY_MESSAGE: [RegExp, Advice][] = [
  [
    /does not support SSL/,
    ({ host }) =>
      `PostgreSQL at ${host} speaks no TLS. Take sslmode out of DATABASE_URL, or set ssl = on in PostgreSQL.`,
  ],
  [/^connect ENOENT/, ({ host }) => `PostgreSQL has no socket in ${host}. Start it, or correct host= in DATABASE_URL.`],
  [
    /^(ENOENT|EACCES)\b.* open /,
    () => 'A file that DATABASE_URL names (sslrootcert, sslcert or sslkey) cannot be read. Correct its path.',
  ],
  [/password must be a string|no password/i, REFUSED_USER],
  [/timeout expired|Connection terminated due to connection timeout/, UNREACHABLE],
]

/** A readable error with the original as its cause; the original itself where there is no text for it. */
export function explainConnection(error: unknown, url: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error
  const advice = adviceFor(error)
  if (!advice) return error
  const explained = new StartError(advice(addressIn(url)))
  explained.cause = error
  return explained
}

/** The driver understands addresses without a host, and spaces, which the URL of the web does not. */
function addressIn(url: string): Address {
  const named = url.replace(/(:\/\/|@)(?=\/|$)/, '$1localhost')
  const { hostname, port, pathname, searchParams } = URL.parse(named) ?? new URL(encodeURI(named))
  const database = decodeURIComponent(pathname.slice(1)) || 'postgres'
  return { host: searchParams.get('host') ?? (hostname || 'localhost'), port: port || '5432', database }
}

/** A host with several addresses is refused at each of them; a migration fails for the reason behind it. */
function adviceFor(error: Error): Advice | undefined {
  const causes = error.cause instanceof Error ? [error.cause] : []
  const all = [error, ...(error instanceof AggregateError ? error.errors : []), ...causes]
  for (const each of all as { code?: unknown; message?: string }[]) {
    const known = ADVICE[String(each.code)] ?? BY_MESSAGE.find(([words]) => words.test(each.message ?? ''))?.[1]
    if (known) return known
  }
  return undefined
}
