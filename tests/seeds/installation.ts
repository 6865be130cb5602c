// A person's way through the public HTTP contract: signs up, makes an organization, calls functions, uploads documents.
// For the demonstration and the benchmark, which drive a server from outside.

export type Session = { baseUrl: string; token: string; organizationId: string }
export type Credentials = { email: string; password: string; name: string }
export type Kind = 'query' | 'mutation' | 'action'

/** Signs up a new account with its organization. */
export async function signUp(baseUrl: string, credentials: Credentials, organizationName: string): Promise<Session> {
  const session = await open(baseUrl, 'sign-up', credentials)
  await call(session, 'mutation', 'users:ensure', {})
  const organization = await call(session, 'mutation', 'organizations:create', {
    name: credentials.name,
    organizationName,
  })
  return { ...session, organizationId: idOf(organization) }
}

/** Signs in to an account that there is. */
export function signIn(baseUrl: string, credentials: Credentials): Promise<Session> {
  return open(baseUrl, 'sign-in', credentials)
}

async function open(
  baseUrl: string,
  way: 'sign-up' | 'sign-in',
  { name, email, password }: Credentials,
): Promise<Session> {
  const { token: sessionToken } = await json<{ token: string }>(`${baseUrl}/api/auth/${way}/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, ...(way === 'sign-up' && { name }) }),
  })
  const { token } = await json<{ token: string }>(`${baseUrl}/api/auth/token`, {
    headers: { authorization: `Bearer ${sessionToken}` },
  })
  return { baseUrl, token, organizationId: '' }
}

/** Calls a public function. @throws with the server's own message */
export async function call(session: Session, kind: Kind, path: string, args: object): Promise<unknown> {
  const answer = await json<{ status: string; value: unknown; errorMessage?: string; errorData?: unknown }>(
    `${session.baseUrl}/api/${kind}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session.token}` },
      body: JSON.stringify({ path, format: 'convex_encoded_json', args: [args] }),
    },
  )
  if (answer.status !== 'success') {
    throw new Error(`${path}: ${answer.errorMessage} ${JSON.stringify(answer.errorData ?? '')}`)
  }
  return answer.value
}

/** Uploads one document; it is then read in the background. */
export function uploadDocument(session: Session, spaceId: string, name: string, text: string): Promise<string> {
  return upload(session, 'documents', { spaceId, name, text })
}

/** Uploads one table; it is then analyzed in the background. */
export function uploadTable(session: Session, spaceId: string, name: string, text: string): Promise<string> {
  return upload(session, 'tables', { spaceId, name, text })
}

/** @returns the id of what was made */
async function upload(
  session: Session,
  route: 'documents' | 'tables',
  { spaceId, name, text }: { spaceId: string; name: string; text: string },
): Promise<string> {
  const query = new URLSearchParams({ knowledgeSpaceId: spaceId, name })
  const made = await json<unknown>(`${session.baseUrl}/api/files/${route}?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/octet-stream' },
    body: text,
  })
  return idOf(made)
}

/** The `_id` of something that a function answered, or the answer itself when it is an id. */
export function idOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && '_id' in value && typeof value._id === 'string') return value._id
  throw new Error(`No id in ${JSON.stringify(value)}`)
}

async function json<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, headers: { origin: new URL(url).origin, ...init.headers } })
  const text = await response.text()
  if (!response.ok && response.status !== 560)
    throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as T
}
