// Invitations of the installation on the screen: found, made with a link, sent again, revoked, saved as a file.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import i18next from 'i18next'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { AdminInvite } from '#shared/organizations/admin-invites.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { AdminInvitesPage } from './invites-page.tsx'

type Reference = Parameters<typeof getFunctionName>[0]

const server = vi.hoisted(() => ({
  results: {} as Record<string, unknown>,
  asked: [] as unknown[],
  file: vi.fn(),
  saved: vi.fn(),
  calls: vi.fn((_name: string, _args: unknown): Promise<unknown> => Promise.resolve(null)),
}))
vi.mock('#web/lib/browser/save-file.ts', () => ({ saveFile: server.saved }))
fakeConvex(() => ({
  useQuery: (query: Reference) => server.results[getFunctionName(query)],
  usePaginatedQuery: (query: Reference, args: unknown) => {
    server.asked.push(args)
    return { results: server.results[getFunctionName(query)], status: 'Exhausted', loadMore: () => {} }
  },
  fetchOnce: (_query: Reference, args: unknown) => server.file(args),
  // As the real one does, failures are shown as a toast unless the caller shows them.
  useMutation:
    (mutation: Reference, { hasToast = true } = {}) =>
    async (args: unknown) => {
      try {
        return await server.calls(getFunctionName(mutation), args)
      } catch (error) {
        if (hasToast) toast.failure(error)
        throw error
      }
    },
}))

const PENDING: AdminInvite = {
  ...{ _id: 'one' as AdminInvite['_id'], email: 'new@tea.test', role: 'operator', state: 'pending', invitedBy: 'Root' },
  ...{ createdAt: 0, expiresAt: Date.now(), acceptedAt: null, organization: { _id: 'tea' as never, name: 'Tea shop' } },
}
const ALL: AdminInvite[] = (['pending', 'accepted', 'revoked', 'expired'] as const).map((state) => ({
  ...{ ...PENDING, _id: state as never, email: `${state}@tea.test`, state },
}))
const MADE = { _id: 'made', link: 'https://parley.test/invite/secret', isSent: false }

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  Object.assign(server, {
    asked: [],
    results: {
      'admin/invites:list': ALL,
      'admin/invites:organizations': [
        { _id: 'tea', name: 'Tea shop', owner: 'anna@tea.test' },
        { _id: 'coffee', name: 'Coffee', owner: null },
      ],
    },
  })
  server.calls.mockReset().mockResolvedValue(null)
  server.file.mockReset()
  server.saved.mockReset()
})

function show(search = ''): void {
  const router = createMemoryRouter([{ path: '/', element: <AdminInvitesPage /> }])
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <TooltipProvider>
        <RouterProvider router={router} />
        <Toaster />
      </TooltipProvider>
    </NuqsTestingAdapter>,
  )
}

/** A text of the screen, in the language on screen. */
const say = (key: string, values: Record<string, string | number> = {}) =>
  i18next.t(key as never, { ns: 'admin', ...values }) as unknown as string
const press = async (name: string, within_ = screen as Pick<typeof screen, 'getByRole'>) =>
  userEvent.click(within_.getByRole('button', { name }))
async function speak(language: 'ru' | 'en') {
  await setLanguage(language)
  await loadTexts('admin')
}

const row = (email: string) => within(screen.getByText(email).closest('li') as HTMLElement)
async function openForm() {
  await press(say('invites.invite'))
  return within(await screen.findByRole('dialog'))
}
const emailField = (form: Pick<typeof screen, 'getByRole'>) =>
  form.getByRole('textbox', { name: new RegExp(`^${say('invites.email')}`) })

describe('the list', () => {
  it('shows the state of each, and what can be done while it is open', async () => {
    show()
    const buttons = (state: string) =>
      row(`${state}@tea.test`)
        .queryAllByRole('button')
        .map((each) => each.textContent)
    expect(buttons('pending')).toEqual(['Send again', 'Revoke'])
    expect(buttons('expired')).toEqual(['Send again'])
    expect([buttons('accepted'), buttons('revoked')]).toEqual([[], []])
    expect(row('pending@tea.test').getByText(/Tea shop · Operator/)).toBeVisible()
    await expectAccessible()
  })

  it('asks for what the address says, and for another status', async () => {
    show('?search=tea&status=pending')
    expect(server.asked.at(-1)).toEqual({ search: 'tea', status: 'pending' })
    await userEvent.click(screen.getByRole('combobox', { name: 'Status' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Revoked' }))
    expect(server.asked.at(-1)).toEqual({ search: 'tea', status: 'revoked' })
  })

  it('has words when none is found, and others when there is none', async () => {
    server.results['admin/invites:list'] = []
    show('?status=expired')
    expect(screen.getByRole('heading', { name: 'No invitation found' })).toBeVisible()
    await press('Show all')
    expect(screen.getByRole('heading', { name: 'There are no invitations yet' })).toBeVisible()
    await expectAccessible()
  })

  it('is saved as a file of those found', async () => {
    server.file.mockResolvedValue({ name: 'invitations.csv', csv: 'a', isCut: true })
    show('?status=pending')
    await press('Download the invitations found as CSV')
    expect(server.file).toHaveBeenCalledWith({ search: '', status: 'pending', language: 'en' })
    expect(server.saved).toHaveBeenCalledWith('invitations.csv', 'a', 'text/csv')
    expect(await screen.findByText(/The file has the newest invitations only/)).toBeInTheDocument()
  })
})

describe('inviting', () => {
  it('leaves the organization to the domain, and shows the link to hand on', async () => {
    server.calls.mockResolvedValue(MADE)
    show()
    const form = await openForm()
    await expectAccessible()
    await userEvent.type(emailField(form), 'new@tea.test')
    await press('Send the invitation', form)
    expect(server.calls).toHaveBeenCalledWith('admin/invites:create', { email: 'new@tea.test', role: 'operator' })
    expect(await form.findByText(MADE.link)).toBeVisible()
    expect(form.getByText(/Mail is not set up/)).toBeVisible()
    expect(form.getByRole('button', { name: 'Copy the link for new@tea.test' })).toBeVisible()
  })

  it('goes into the organization that is chosen, with the role', async () => {
    server.calls.mockResolvedValue({ ...MADE, isSent: true })
    show()
    const form = await openForm()
    await userEvent.type(emailField(form), 'new@tea.test')
    await userEvent.click(form.getByRole('combobox', { name: 'Role' }))
    await userEvent.click(await screen.findByRole('option', { name: /^Analyst/ }))
    await userEvent.click(form.getByRole('combobox', { name: 'Organization' }))
    await userEvent.click(await screen.findByRole('option', { name: /^Coffee/ }))
    await press('Send the invitation', form)
    expect(server.calls).toHaveBeenCalledWith('admin/invites:create', {
      ...{ email: 'new@tea.test', role: 'analyst', organizationId: 'coffee' },
    })
    expect(await form.findByText(/on its way by email/)).toBeVisible()
  })
})

describe('an open invitation', () => {
  it('is sent again, with another link', async () => {
    server.calls.mockResolvedValue(MADE)
    show()
    await press('Send again: invitation of expired@tea.test')
    expect(server.calls).toHaveBeenCalledWith('admin/invites:resend', { inviteId: 'expired' })
    expect(await screen.findByText(MADE.link)).toBeVisible()
    expect(screen.getByText('The link before has stopped working.')).toBeVisible()
  })

  it('is revoked after a question', async () => {
    show()
    await press('Revoke the invitation of pending@tea.test')
    await press('Revoke', within(await screen.findByRole('alertdialog')))
    expect(server.calls).toHaveBeenCalledWith('admin/invites:revoke', { inviteId: 'pending' })
  })
})

describe.each(['en', 'ru'] as const)('what is refused, in %s', (language) => {
  beforeEach(() => speak(language))

  it('an address that is none', async () => {
    show()
    const form = await openForm()
    await userEvent.type(emailField(form), 'nobody')
    await press(say('invites.send'), form)
    expect(await form.findByText(say('invites.emailError'))).toBeVisible()
    expect(server.calls).not.toHaveBeenCalled()
  })

  it.each(['email_of_member', 'invite_active', 'organization_not_detected', 'members_limit_reached'] as const)(
    '%s stays in the form',
    async (code) => {
      const params = { email: 'a@b.test', domain: 'b.test', members: 5 }
      server.calls.mockRejectedValue(new AppError(code, params))
      show()
      const form = await openForm()
      await userEvent.type(emailField(form), 'a@b.test')
      await press(say('invites.send'), form)
      const words = i18next.t(code as never, { ns: 'errors', ...params, count: 5 }) as unknown as string
      expect(await form.findByRole('alert')).toHaveTextContent(words)
    },
  )

  it.each<ErrorCode>(['invite_used', 'invite_expired', 'invite_revoked'])('revoking: %s', async (code) => {
    server.calls.mockRejectedValue(new AppError(code))
    show()
    await press(say('invites.revokeOf', { email: 'pending@tea.test' }))
    await press(say('invites.revoke'), within(await screen.findByRole('alertdialog')))
    expect(await screen.findByText(describeCode(code))).toBeInTheDocument()
  })
})
