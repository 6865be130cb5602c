// The page of an invitation, for everyone who may come by its link.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { InvitePreview } from '#shared/organizations/members.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { takeAddressSecrets } from '#web/lib/sign-in/address-secrets.ts'
import { InvitePage } from './invite-page.tsx'

const preview: InvitePreview = {
  organizationName: 'Hotel',
  invitedBy: 'Anna',
  email: 'boris@example.com',
  role: 'operator',
  expiresAt: 1_800_000_000_000,
  hasAccount: false,
}
const accept = vi.hoisted(() => vi.fn(async (_args: { token: string }) => ({ organizationId: 'o1' })))
const enter = vi.hoisted(() => vi.fn())
const session = vi.hoisted(() => ({
  status: 'signedOut' as string,
  begin: vi.fn(async () => true),
  end: vi.fn(async () => undefined),
}))
let own: string | null
let answer: { value: InvitePreview } | { code: string } | 'down'
let sent: { url: string; body: unknown }[]

fakeConvex(() => ({ useMutation: () => accept }))
vi.mock('#web/lib/sign-in/session.tsx', () => ({ useSession: () => session }))
vi.mock('#web/lib/sign-in/workplace.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/sign-in/workplace.ts')>()),
  enterOrganization: enter,
}))

async function answerTo(url: string, init: RequestInit = {}): Promise<Response> {
  sent.push({ url, body: init.body ? JSON.parse(String(init.body)) : null })
  if (url.endsWith('/api/query')) {
    if (answer === 'down') throw new TypeError('Failed to fetch')
    if ('code' in answer) return Response.json({ status: 'error', errorMessage: '', errorData: answer })
    return Response.json({ status: 'success', value: answer.value })
  }
  if (url.endsWith('get-session')) return Response.json(own === null ? null : { session: {}, user: { email: own } })
  if (url.endsWith('/api/config')) return Response.json({ googleSignIn: false })
  return Response.json({ token: 'session' })
}

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('auth')
})
beforeEach(() => {
  vi.clearAllMocks()
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })
  sessionStorage.clear()
  Object.assign(session, { status: 'signedOut' })
  own = null
  answer = { value: preview }
  sent = []
  vi.stubGlobal('fetch', answerTo)
})
afterEach(() => vi.unstubAllGlobals())

function open(path = '/invite?token=secret') {
  window.history.replaceState(null, '', path)
  takeAddressSecrets()
  const router = createMemoryRouter([{ path: '/invite', element: <InvitePage /> }], { initialEntries: ['/invite'] })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('the page of an invitation', () => {
  it('says who invites where, in which role, and keeps the secret out of the address', async () => {
    open()
    expect(await heading('Join Hotel')).toBeVisible()
    expect(window.location.search).toBe('')
    expect(screen.getByText('Anna invites you to work together.')).toBeVisible()
    expect(screen.getByText('Operator')).toBeVisible()
    expect(sent[0]?.body).toEqual({
      path: 'organizations/invites:preview',
      args: [{ token: 'secret' }],
      format: 'convex_encoded_json',
    })
    await expectAccessible()
  })

  it('makes an account with the invited address in one step, and opens the organization', async () => {
    open()
    const email = await screen.findByLabelText('Email')
    expect(email).toHaveValue('boris@example.com')
    expect(email).toHaveAttribute('readonly')
    await userEvent.type(screen.getByLabelText('Name'), 'Boris')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse 42')
    await userEvent.type(screen.getByLabelText('Repeat password'), 'correct horse 42')
    await userEvent.click(screen.getByRole('button', { name: 'Create account and join' }))
    await waitFor(() => expect(enter).toHaveBeenCalledWith('o1'))
    expect(sent.find(({ url }) => url.endsWith('sign-up/email'))?.body).toEqual({
      name: 'Boris',
      email: 'boris@example.com',
      password: 'correct horse 42',
    })
    expect(accept).toHaveBeenCalledWith({ token: 'secret' })
    expect(sessionStorage.getItem('parley-invite')).toBeNull()
  })

  it('says what to do when the account opens no session', async () => {
    session.begin.mockResolvedValueOnce(false)
    open()
    await userEvent.type(await screen.findByLabelText('Name'), 'Boris')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse 42')
    await userEvent.type(screen.getByLabelText('Repeat password'), 'correct horse 42')
    await userEvent.click(screen.getByRole('button', { name: 'Create account and join' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('open that link, then return here')
    expect(accept).not.toHaveBeenCalled()
  })

  it('sends who has an account to sign in, and knows the invitation when they return', async () => {
    answer = { value: { ...preview, hasAccount: true } }
    open()
    expect(await screen.findByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/signin?from=%2Finvite')
    await expectAccessible()
    Object.assign(session, { status: 'signedIn' })
    own = 'Boris@example.com'
    document.body.innerHTML = ''
    open('/invite')
    await userEvent.click(await screen.findByRole('button', { name: 'Join the organization' }))
    await waitFor(() => expect(enter).toHaveBeenCalledWith('o1'))
    expect(accept).toHaveBeenCalledWith({ token: 'secret' })
  })

  it('tells who is signed in by another address which one it needs, and signs out', async () => {
    Object.assign(session, { status: 'signedIn' })
    own = 'clara@example.com'
    open()
    expect(await heading('This invitation is for another address')).toBeVisible()
    expect(screen.getByText(/for boris@example.com, and you are signed in as clara@example.com/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Join the organization' })).not.toBeInTheDocument()
    await expectAccessible()
    await userEvent.click(screen.getByRole('button', { name: 'Sign out and continue' }))
    expect(session.end).toHaveBeenCalledOnce()
  })

  it.each([
    ['invite_not_found', 'This invitation link is not valid.'],
    ['invite_expired', 'This invitation has expired.'],
    ['invite_revoked', 'This invitation was revoked.'],
    ['invite_used', 'This invitation has already been used.'],
    ['invalid_arguments', 'The link is incomplete.'],
  ])('explains %s and shows the way on', async (code, words) => {
    answer = { code }
    open()
    expect(await heading('This invitation cannot be used')).toBeVisible()
    expect(screen.getByText(new RegExp(words))).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to sign-in' })).toHaveAttribute('href', '/signin')
    await expectAccessible()
  })

  it('explains a link without a secret', async () => {
    open('/invite')
    expect(await screen.findByText(/The link is incomplete/)).toBeVisible()
  })

  it('can be tried again when the server was not reached', async () => {
    answer = 'down'
    open()
    const retry = await screen.findByRole('button', { name: 'Try again' })
    answer = { value: preview }
    await userEvent.click(retry)
    expect(await heading('Join Hotel')).toBeVisible()
  })
})
