// The people of the installation on the screen: found, saved as a file, and what is done about each, after a question.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { AdminPerson } from '#shared/organizations/admin.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { AdminMembersPage } from './members-page.tsx'

type Reference = Parameters<typeof getFunctionName>[0]

const server = vi.hoisted(() => ({
  people: [] as unknown[],
  asked: [] as unknown[],
  file: vi.fn(),
  saved: vi.fn(),
  calls: vi.fn((_name: string, _args: unknown) => Promise.resolve(null)),
}))
vi.mock('#web/lib/browser/save-file.ts', () => ({ saveFile: server.saved }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useCurrentUser: () => ({ _id: 'root' }) }))
fakeConvex(() => ({
  usePaginatedQuery: (_query: Reference, args: unknown) => {
    server.asked.push(args)
    return { results: server.people, status: 'Exhausted', loadMore: () => {} }
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

const OLGA: AdminPerson = {
  _id: 'olga' as AdminPerson['_id'],
  name: 'Olga',
  email: 'olga@example.com',
  avatar: null,
  role: 'user',
  organizations: [{ _id: 'tea' as never, name: 'Tea shop', role: 'owner' }],
  hasTwoStep: true,
  sessions: 2,
  lastActiveAt: Date.now(),
  lockedAt: null,
  lockedReason: null,
  createdAt: 0,
}
const ROOT: AdminPerson = { ...OLGA, _id: 'root' as never, name: 'Root', email: 'root@example.com', role: 'admin' }
const BORIS: AdminPerson = {
  ...OLGA,
  ...{ _id: 'boris' as never, name: '', email: 'boris@example.com', role: 'admin', organizations: [], sessions: 0 },
  ...{ hasTwoStep: false, lastActiveAt: null, lockedAt: 1, lockedReason: 'Spam' },
}

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  Object.assign(server, { people: [OLGA, ROOT, BORIS], asked: [] })
  server.calls.mockReset().mockResolvedValue(null)
  server.file.mockReset()
  server.saved.mockReset()
})

function show(search = ''): void {
  const router = createMemoryRouter([{ path: '/', element: <AdminMembersPage /> }])
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <TooltipProvider>
        <RouterProvider router={router} />
        <Toaster />
      </TooltipProvider>
    </NuqsTestingAdapter>,
  )
}

const row = (email: string) => screen.getByText(email, { selector: 'p' }).closest('li') as HTMLElement
async function open(name: string): Promise<string[]> {
  await userEvent.click(screen.getByRole('button', { name: `Actions: ${name}` }))
  return (await screen.findAllByRole('menuitem')).map((item) => item.textContent ?? '')
}
async function act(name: string, item: string) {
  await open(name)
  await userEvent.click(screen.getByRole('menuitem', { name: item }))
}

describe('the list', () => {
  it('shows who each person is, where they work and how they sign in', async () => {
    show()
    expect(row('olga@example.com')).toHaveTextContent(/Tea shop Owner/)
    expect(row('olga@example.com')).toHaveTextContent(/2 sessions.*Two-step sign-in/)
    const place = within(row('olga@example.com')).getByRole('link', { name: 'Tea shop' })
    expect(place).toHaveAttribute('href', '/admin/organizations/tea')
    expect(row('root@example.com')).toHaveTextContent(/Root \(you\)Administrator/)
    expect(screen.getByText('Reason: Spam').closest('li')).toHaveTextContent(
      /Locked.*In no organization.*Not signed in/,
    )
    await expectAccessible()
  })

  it('asks for what the address says, and for another role', async () => {
    show('?search=olga&role=admin')
    expect(server.asked.at(-1)).toEqual({ search: 'olga', role: 'admin' })
    await userEvent.click(screen.getByRole('combobox', { name: 'Platform role' }))
    await userEvent.click(await screen.findByRole('option', { name: 'All roles' }))
    expect(server.asked.at(-1)).toEqual({ search: 'olga' })
  })

  it('has words when no person is found, and the way to everybody', async () => {
    server.people = []
    show('?role=admin')
    expect(screen.getByRole('heading', { name: 'No person found' })).toBeVisible()
    await expectAccessible()
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(server.asked.at(-1)).toEqual({ search: '' })
  })

  it('is saved as a file of those found, and says when it is cut', async () => {
    server.file.mockResolvedValue({ name: 'people.csv', csv: 'a,b', isCut: true })
    show('?role=user')
    await userEvent.click(screen.getByRole('button', { name: 'Download the people found as CSV' }))
    expect(server.file).toHaveBeenCalledWith({ search: '', role: 'user', language: 'en' })
    expect(server.saved).toHaveBeenCalledWith('people.csv', 'a,b', 'text/csv')
    expect(await screen.findByText(/The file has the first people only/)).toBeVisible()
  })
})

describe('what can be done', () => {
  it('depends on how the account stands', async () => {
    show()
    expect(await open('Olga')).toEqual([
      ...['Make administrator', 'End all sessions', 'Reset two-step sign-in', 'Lock the account'],
    ])
    await userEvent.keyboard('{Escape}')
    expect(await open('boris@example.com')).toEqual(['Remove admin access', 'Unlock the account'])
  })

  it('does not take the administration from oneself', async () => {
    show()
    expect(await open('Root')).toEqual([
      'Remove admin accessYou cannot remove your own admin access',
      'End all sessions',
    ])
    expect(screen.getByRole('menuitem', { name: /Remove admin access/ })).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible()
  })

  it.each([
    ['Olga', 'Make administrator', 'setRole', { userId: 'olga', role: 'admin' }],
    ['boris@example.com', 'Remove admin access', 'setRole', { userId: 'boris', role: 'user' }],
    ['Olga', 'End all sessions', 'revokeSessions', { userId: 'olga' }],
    ['Olga', 'Reset two-step sign-in', 'resetTwoStep', { userId: 'olga' }],
    ['boris@example.com', 'Unlock the account', 'unlock', { userId: 'boris' }],
  ] as const)('%s: %s, after a question that names them', async (name, item, called, args) => {
    show()
    await act(name, item)
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByRole('heading')).toHaveTextContent(name)
    await expectAccessible()
    await userEvent.click(question.getByRole('button', { name: item }))
    expect(server.calls).toHaveBeenCalledWith(`admin/members:${called}`, args)
    await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  })

  it('locks with a reason', async () => {
    show()
    await act('Olga', 'Lock the account')
    const window = within(await screen.findByRole('dialog'))
    await userEvent.type(window.getByRole('textbox', { name: 'Reason' }), 'Spam')
    await userEvent.click(window.getByRole('button', { name: 'Lock the account' }))
    expect(server.calls).toHaveBeenCalledWith('admin/members:lock', { userId: 'olga', reason: 'Spam' })
  })
})

describe.each([
  ['en', 'Actions: Olga', 'Make administrator', 'Lock the account', /Enter a reason of at most 500 characters/],
  [
    ...(['ru', 'Действия: Olga', 'Сделать администратором', 'Заблокировать учётную запись'] as const),
    /Укажите причину, не больше 500\sсимволов/,
  ],
] as const)('what the server refuses, in %s', (language, acts, give, lock, empty) => {
  beforeEach(async () => {
    await setLanguage(language)
    await loadTexts('admin')
  })
  const refuse = (code: ErrorCode) => server.calls.mockRejectedValue(new AppError(code))

  it.each(['own_admin_access', 'last_admin', 'not_found', 'forbidden'] as const)(
    '%s is put into words',
    async (code) => {
      refuse(code)
      show()
      await userEvent.click(screen.getByRole('button', { name: acts }))
      await userEvent.click(await screen.findByRole('menuitem', { name: give }))
      const question = await screen.findByRole('alertdialog')
      await userEvent.click(within(question).getByRole('button', { name: give }))
      expect(await screen.findByText(describeCode(code))).toBeInTheDocument()
      expect(question).toBeVisible()
    },
  )

  it('a lock is refused in its window, and not without a reason', async () => {
    refuse('last_admin')
    show()
    await userEvent.click(screen.getByRole('button', { name: acts }))
    await userEvent.click(await screen.findByRole('menuitem', { name: lock }))
    const window = within(await screen.findByRole('dialog'))
    await userEvent.click(window.getByRole('button', { name: lock }))
    expect(await window.findByText(empty)).toBeVisible()
    await userEvent.type(window.getByRole('textbox'), 'Spam')
    await userEvent.click(window.getByRole('button', { name: lock }))
    expect(await window.findByRole('alert')).toHaveTextContent(describeCode('last_admin'))
  })
})
