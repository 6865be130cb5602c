// Flags on the screen: switched, described, added, with exceptions for organizations.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import i18next from 'i18next'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Flag } from '#shared/organizations/flags.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { FlagsPage } from './flags-page.tsx'

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

const VOICE: Flag = {
  ...{ key: 'voice', description: 'Costs too much', isEnabled: true, updatedAt: 0, isUsed: true, isForAll: false },
  overrides: [{ organizationId: 'tea' as never, name: 'Tea shop', isEnabled: false }],
}
const SIGN_UP: Flag = { ...VOICE, key: 'open_sign_up', description: '', updatedAt: null, isForAll: true, overrides: [] }
const OLD: Flag = { ...VOICE, key: 'old_thing', isUsed: false, overrides: [] }

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
      'admin/flags:list': [OLD, SIGN_UP, VOICE],
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
  const router = createMemoryRouter([{ path: '/', element: <FlagsPage /> }])
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

const row = (key: string) => within(screen.getByText(key, { selector: 'code' }).closest('li') as HTMLElement)

describe('the list', () => {
  it('says what each flag does, whether it is read, and its exceptions', async () => {
    show()
    expect(row('voice').getByText(/Transcription of voice messages/)).toBeVisible()
    expect(row('voice').getByRole('list', { name: 'Exceptions to the flag voice' })).toHaveTextContent(/Tea shop.*Off/)
    expect(row('old_thing').getByText('Unused')).toBeVisible()
    expect(row('open_sign_up').getByText('Whole installation')).toBeVisible()
    expect(row('open_sign_up').queryByRole('button', { name: /exception/ })).not.toBeInTheDocument()
    await expectAccessible()
  })

  it('switches a flag, and back when it fails', async () => {
    show()
    await userEvent.click(row('voice').getByRole('switch'))
    expect(server.calls).toHaveBeenCalledWith('admin/flags:set', { key: 'voice', enabled: false })
    expect(row('voice').getByRole('switch')).not.toBeChecked()
    server.calls.mockRejectedValue(new AppError('forbidden'))
    await userEvent.click(row('open_sign_up').getByRole('switch'))
    expect(await screen.findByText(describeCode('forbidden'))).toBeInTheDocument()
    expect(row('open_sign_up').getByRole('switch')).toBeChecked()
  })

  it('ends an exception', async () => {
    show()
    await press('Remove the exception for “Tea shop”')
    const args = { key: 'voice', organizationId: 'tea', enabled: null }
    expect(server.calls).toHaveBeenCalledWith('admin/flags:setOverride', args)
  })
})

it('a flag gets a description', async () => {
  show()
  await press('Edit the flag voice')
  const form = within(await screen.findByRole('dialog'))
  await expectAccessible()
  await userEvent.type(form.getByRole('textbox'), ' now')
  await press('Save', form)
  const args = { key: 'voice', enabled: true, description: 'Costs too much now' }
  expect(server.calls).toHaveBeenCalledWith('admin/flags:set', args)
})

it('an exception is the opposite of the flag, for an organization without one', async () => {
  show()
  await press('Add an exception to the flag voice')
  const form = within(await screen.findByRole('dialog'))
  await expectAccessible()
  await userEvent.click(form.getByRole('combobox', { name: /^Organization/ }))
  expect(screen.queryByRole('option', { name: /^Tea shop/ })).not.toBeInTheDocument()
  await userEvent.click(await screen.findByRole('option', { name: /^Coffee/ }))
  await press('Save', form)
  const args = { key: 'voice', organizationId: 'coffee', enabled: false }
  expect(server.calls).toHaveBeenCalledWith('admin/flags:setOverride', args)
})

describe.each(['en', 'ru'] as const)('what is refused, in %s', (language) => {
  beforeEach(() => speak(language))
  async function openForm() {
    await press(say('flags.add'))
    return within(await screen.findByRole('dialog'))
  }
  const key = (form: Pick<typeof screen, 'getByRole'>) =>
    form.getByRole('textbox', { name: new RegExp(`^${say('flags.key')}`) })

  it.each([
    ['missing_flag_key', ' '],
    ['invalid_flag_key', 'Dark launch'],
  ] as const)('%s is shown at the field', async (code, text) => {
    show()
    const form = await openForm()
    await userEvent.type(key(form), text)
    await press(say('flags.save'), form)
    expect(await form.findByText(describeCode(code))).toBeVisible()
    expect(server.calls).not.toHaveBeenCalled()
  })

  it('a refusal of the server stays in the form', async () => {
    server.calls.mockRejectedValue(new AppError('admin_required'))
    show()
    const form = await openForm()
    await userEvent.type(key(form), 'dark_launch')
    await press(say('flags.save'), form)
    expect(await form.findByRole('alert')).toHaveTextContent(describeCode('admin_required'))
  })

  it('an exception without an organization, and what the server refuses of one', async () => {
    server.calls.mockRejectedValue(new AppError('flag_without_overrides'))
    show()
    await press(say('flags.exceptOf', { key: 'voice' }))
    const form = within(await screen.findByRole('dialog'))
    await press(say('flags.save'), form)
    expect(await form.findByText(say('organization.missing'), { selector: '[id]' })).toBeVisible()
    await userEvent.click(form.getByRole('combobox'))
    await userEvent.click(await screen.findByRole('option', { name: /^Coffee/ }))
    await press(say('flags.save'), form)
    expect(await form.findByRole('alert')).toHaveTextContent(describeCode('flag_without_overrides'))
  })
})
