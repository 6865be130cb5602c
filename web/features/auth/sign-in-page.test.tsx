// The second step, and the reason why a session ended.
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { SessionProvider } from '#web/lib/sign-in/session.tsx'
import { SignInPage } from './sign-in-page.tsx'

type Answer = { status: number; body: unknown; headers?: Record<string, string> }
let answers: Record<string, Answer>
let sent: Record<string, unknown>

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('auth')
  await loadTexts('errors')
})

beforeEach(() => {
  queryClient.clear()
  sent = {}
  answers = {
    '/api/auth/get-session': { status: 200, body: null },
    '/api/config': { status: 200, body: { googleSignIn: false, signUp: { isOpen: true, contact: null } } },
    '/api/auth/sign-in/email': { status: 403, body: { code: 'TWO_FACTOR_REQUIRED', challenge: 'of-ann' } },
    '/api/auth/two-factor/verify': { status: 400, body: { code: 'INVALID_CODE' } },
  }
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.body) sent[url] = JSON.parse(String(init.body))
    const answer = answers[url] ?? { status: 404, body: null }
    return Response.json(answer.body, { status: answer.status, headers: answer.headers ?? {} })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open() {
  const router = createMemoryRouter([{ path: '/signin', element: <SignInPage /> }], { initialEntries: ['/signin'] })
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

async function enterPassword() {
  await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

it('asks for a code after the password, and says what was wrong with it', async () => {
  open()
  await enterPassword()
  await userEvent.type(await screen.findByLabelText('Code of six digits'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The code is wrong or was already used')
  expect(sent['/api/auth/two-factor/verify']).toEqual({ challenge: 'of-ann', code: '123456' })
})

it('takes a recovery code in the place of it', async () => {
  open()
  await enterPassword()
  await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
  await userEvent.type(screen.getByLabelText('Recovery code'), 'abcd-efgh')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('alert')
  expect(sent['/api/auth/two-factor/verify']).toEqual({ challenge: 'of-ann', recoveryCode: 'abcd-efgh' })
})

it.each([
  ['inactive', 'You were signed out because you had not used the service for a long time.'],
  ['revoked', 'This session was ended from another device.'],
])('names why the session ended: %s', async (reason, text) => {
  answers['/api/auth/get-session'] = { status: 200, body: null, headers: { 'x-session-ended': reason } }
  open()
  expect(await screen.findByText(text)).toBeInTheDocument()
})
