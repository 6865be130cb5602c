// The two steps as a visitor meets them.
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { SessionProvider } from '#web/lib/sign-in/session.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { SignUpPage } from './sign-up-page.tsx'

const CONFIG = { googleSignIn: false, signUp: { isOpen: true, contact: null } }
type Answer = { status: number; body: unknown }
let answers: Record<string, Answer>

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('auth')
})

beforeEach(() => {
  queryClient.clear()
  answers = {
    '/api/auth/get-session': { status: 200, body: null },
    '/api/config': { status: 200, body: CONFIG },
  }
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = answers[url] ?? { status: 404, body: null }
    return Response.json(answer.body, { status: answer.status })
  })
})
afterEach(() => vi.unstubAllGlobals())

function open(path = '/signup') {
  const routes = [
    { path: '/signup', element: <SignUpPage /> },
    { path: '/signin', element: <SignInPage /> },
  ]
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

async function fillAccount(entry: { password?: string; confirm?: string } = {}) {
  const { password = 'long enough', confirm = password } = entry
  await userEvent.type(screen.getByLabelText('Name'), 'Ann')
  await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com')
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.type(screen.getByLabelText('Repeat password'), confirm)
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
}

describe('the sign-up page', () => {
  it('asks for everything the first step needs and focuses the first gap', async () => {
    open()
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Enter your name.')).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveFocus()
    expect(screen.getByLabelText('Email')).toBeInvalid()
  })

  it('refuses passwords that differ', async () => {
    open()
    await fillAccount({ confirm: 'something else' })
    expect(await screen.findByText('Passwords do not match.')).toBeVisible()
    expect(screen.queryByLabelText('Organization name')).not.toBeInTheDocument()
  })

  it('says of a password that everybody uses that it is one, and what the server says of it', async () => {
    answers['/api/auth/sign-up/email'] = { status: 400, body: { code: 'PASSWORD_TOO_COMMON' } }
    open()
    await userEvent.type(screen.getByLabelText('Password'), 'Password123')
    expect(await screen.findByText(/one of the first that attackers try/)).toBeVisible()
    await userEvent.clear(screen.getByLabelText('Password'))
    await fillAccount({ password: 'Password123' })
    await userEvent.type(await screen.findByLabelText('Organization name'), 'Hotel')
    await userEvent.click(screen.getByRole('button', { name: 'Complete registration' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('three or four random words')
    expect(screen.getByLabelText('Email')).toHaveValue('ann@example.com')
  })

  it('keeps the entries of both steps on the way back and forth', async () => {
    open()
    await fillAccount()
    await userEvent.type(await screen.findByLabelText('Organization name'), 'Hotel')
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(await screen.findByLabelText('Name')).toHaveValue('Ann')
    expect(screen.getByLabelText('Password')).toHaveValue('long enough')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByLabelText('Organization name')).toHaveValue('Hotel')
  })

  it('returns to the account, entries kept, when the server opens no session', async () => {
    answers['/api/auth/sign-up/email'] = { status: 200, body: { token: 'opens nothing' } }
    answers['/api/auth/token?organizationId=current'] = { status: 401, body: null }
    answers['/api/auth/sign-out'] = { status: 200, body: {} }
    open()
    await fillAccount()
    await userEvent.type(await screen.findByLabelText('Organization name'), 'Hotel')
    await userEvent.click(screen.getByRole('button', { name: 'Complete registration' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('this address may already have one')
    expect(screen.getByLabelText('Email')).toHaveValue('ann@example.com')
  })

  it('stays on the organization when the server fails', async () => {
    answers['/api/auth/sign-up/email'] = { status: 500, body: null }
    open()
    await fillAccount()
    await userEvent.type(await screen.findByLabelText('Organization name'), 'Hotel')
    await userEvent.click(screen.getByRole('button', { name: 'Complete registration' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not sign up')
    expect(screen.getByLabelText('Organization name')).toHaveValue('Hotel')
  })

  it('offers Google only where it is configured', async () => {
    answers['/api/config'] = { status: 200, body: { googleSignIn: true } }
    open()
    expect(await screen.findByRole('button', { name: 'Continue with Google' })).toBeVisible()
  })

  it('says that sign-up is closed and whom to ask, and asks nothing', async () => {
    const signUp = { isOpen: false, contact: 'admin@example.com' }
    answers['/api/config'] = { status: 200, body: { googleSignIn: true, signUp } }
    open()
    expect(await screen.findByText('Sign-up is closed')).toBeVisible()
    expect(screen.getByRole('link', { name: 'admin@example.com' })).toHaveAttribute('href', 'mailto:admin@example.com')
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Continue with Google' })).not.toBeInTheDocument()
  })

  it('says who may sign up where that is for certain domains, and that a letter has to be opened first', async () => {
    const signUp = { ...CONFIG.signUp, rule: 'domains', domains: ['example.com', 'example.org'] }
    answers['/api/config'] = { status: 200, body: { googleSignIn: false, signUp } }
    answers['/api/auth/sign-up/email'] = { status: 200, body: { token: null } }
    open()
    expect(await screen.findByText('Sign up with an email address at example.com, example.org.')).toBeVisible()
    await fillAccount()
    await userEvent.type(await screen.findByLabelText('Organization name'), 'Hotel')
    await userEvent.click(screen.getByRole('button', { name: 'Complete registration' }))
    expect(await screen.findByText(/We have sent a letter to ann@example.com/)).toBeVisible()
  })

  it('says that the first account becomes the administrator, and does not where it is not the first', async () => {
    open()
    await waitFor(() => expect(queryClient.getQueryData(['config'])).toEqual(CONFIG))
    expect(screen.queryByText(/becomes the administrator/)).not.toBeInTheDocument()
    cleanup()
    queryClient.clear()
    const signUp = { ...CONFIG.signUp, isFirst: true, makesAdmin: true }
    answers['/api/config'] = { status: 200, body: { googleSignIn: false, signUp } }
    open()
    expect(await screen.findByText(/becomes the administrator/)).toBeVisible()
  })

  it('stands in place of sign-in on a fresh installation', async () => {
    const signUp = { ...CONFIG.signUp, isFirst: true, makesAdmin: false }
    answers['/api/config'] = { status: 200, body: { googleSignIn: false, signUp } }
    open('/signin')
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeVisible()
    expect(screen.queryByText(/becomes the administrator/)).not.toBeInTheDocument()
  })

  it('says nothing of Google elsewhere', async () => {
    open()
    await waitFor(() => expect(queryClient.getQueryData(['config'])).toEqual(CONFIG))
    expect(screen.queryByRole('button', { name: 'Continue with Google' })).not.toBeInTheDocument()
  })
})
