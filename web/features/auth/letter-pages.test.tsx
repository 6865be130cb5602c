// The pages around letters: a forgotten password, its link, and the confirmation of an address.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { SessionProvider } from '#web/lib/sign-in/session.tsx'
import { ForgotPage } from './forgot-page.tsx'
import { ResetPage } from './reset-page.tsx'
import { VerifyEmailPage } from './verify-email-page.tsx'

type Answer = { status: number; body: unknown }
let answers: Record<string, Answer>
let sent: { url: string; body: unknown }[]

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('auth')
})

beforeEach(() => {
  queryClient.clear()
  sent = []
  const signUp = { isOpen: true, contact: 'admin@example.com' }
  answers = {
    '/api/auth/get-session': { status: 200, body: null },
    '/api/config': { status: 200, body: { googleSignIn: false, signUp, canSendMail: true } },
  }
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    sent.push({ url, body: init?.body ? JSON.parse(String(init.body)) : undefined })
    const answer = answers[url] ?? { status: 404, body: null }
    return Response.json(answer.body, { status: answer.status })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
})

function open(address: string) {
  window.history.replaceState(null, '', address)
  const routes = [
    { path: '/forgot', element: <ForgotPage /> },
    { path: '/reset', element: <ResetPage /> },
    { path: '/verify-email', element: <VerifyEmailPage /> },
    { path: '/signin', element: <p>the sign-in page</p> },
    { path: '/agents', element: <p>home</p> },
  ]
  const router = createMemoryRouter(routes, { initialEntries: [address.split('?')[0] ?? ''] })
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

describe('/forgot', () => {
  it('asks for an address, and says the same whatever it is', async () => {
    answers['/api/auth/request-password-reset'] = { status: 200, body: { status: true } }
    open('/forgot')
    await userEvent.click(screen.getByRole('button', { name: 'Send link' }))
    expect(await screen.findByText(/Enter an address like/)).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveFocus()
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com{Enter}')
    expect(await screen.findByText(/If there is an account for ann@example.com/)).toBeVisible()
    expect(sent).toContainEqual({ url: '/api/auth/request-password-reset', body: { email: 'ann@example.com' } })
  })

  it('says that too many letters were requested', async () => {
    answers['/api/auth/request-password-reset'] = { status: 429, body: { code: 'TOO_MANY_LETTERS' } }
    open('/forgot')
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('try again in an hour')
  })

  it('names whom to ask where no mail is sent', async () => {
    const signUp = { isOpen: true, contact: 'admin@example.com' }
    answers['/api/config'] = { status: 200, body: { googleSignIn: false, signUp, canSendMail: false } }
    open('/forgot')
    expect(await screen.findByText('Mail is not set up')).toBeVisible()
    expect(screen.getByRole('link', { name: 'admin@example.com' })).toHaveAttribute('href', 'mailto:admin@example.com')
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument()
  })
})

describe('/reset', () => {
  const fill = async (password: string, again = password) => {
    await userEvent.type(screen.getByLabelText('New password'), password)
    await userEvent.type(screen.getByLabelText('Repeat password'), `${again}{Enter}`)
  }

  it('takes the token out of the address and sets the password', async () => {
    answers['/api/auth/reset-password'] = { status: 200, body: { status: true } }
    open('/reset?token=secret-one')
    expect(window.location.href).not.toContain('secret-one')
    await fill('long enough words')
    expect(await screen.findByText('the sign-in page')).toBeVisible()
    const body = { token: 'secret-one', newPassword: 'long enough words' }
    expect(sent).toContainEqual({ url: '/api/auth/reset-password', body })
  })

  it('refuses passwords that differ or are short, and sends nothing', async () => {
    open('/reset?token=secret-two')
    await fill('short', 'other')
    expect(await screen.findByText('Passwords do not match.')).toBeVisible()
    expect(screen.getByText(/too short/)).toBeVisible()
    expect(sent.map(({ url }) => url)).not.toContain('/api/auth/reset-password')
  })

  it('leads to another link when this one is used, forged or over', async () => {
    answers['/api/auth/reset-password'] = { status: 400, body: { code: 'INVALID_TOKEN' } }
    open('/reset?token=secret-three')
    await fill('long enough words')
    expect(await screen.findByRole('alert')).toHaveTextContent('The link does not work')
    await userEvent.click(screen.getByRole('link', { name: 'Get a new link' }))
    expect(await screen.findByRole('button', { name: 'Send link' })).toBeVisible()
  })
})

describe('/verify-email', () => {
  it('says that the address is confirmed', async () => {
    answers['/api/auth/verify-email?token=good'] = { status: 200, body: { status: true } }
    open('/verify-email?token=good')
    expect(await screen.findByText('Your email is confirmed.')).toBeVisible()
    expect(window.location.href).not.toContain('good')
  })

  it('says that a link ran out, and sends another', async () => {
    answers['/api/auth/verify-email?token=old'] = { status: 401, body: { code: 'TOKEN_EXPIRED' } }
    answers['/api/auth/send-verification-email'] = { status: 200, body: { status: true } }
    open('/verify-email?token=old')
    expect(await screen.findByRole('alert')).toHaveTextContent('The link does not work')
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com{Enter}')
    expect(await screen.findByText(/a letter is on its way/)).toBeVisible()
    expect(sent).toContainEqual({ url: '/api/auth/send-verification-email', body: { email: 'ann@example.com' } })
  })
})
