// Plans of the installation on the screen: kept, put into another order by keyboard, and requests of organizations settled.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import i18next from 'i18next'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { AdminPlan, AdminPlanRequest } from '#shared/organizations/admin-plans.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { AdminPlansPage } from './plans-page.tsx'

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

const PRO: AdminPlan = {
  ...{ slug: 'pro', name: 'Pro', description: 'For shops', price: 100_000, messages: 20_000, members: 20 },
  currency: 'KZT',
  ...{ channelSlots: null, features: { ru: ['Всё'], en: ['All', 'More'] }, sortOrder: 2 },
  ...{ isDefault: false, isArchived: false, organizations: 3 },
}
const PARKING: AdminPlan = { ...PRO, slug: 'parking', name: 'Parking', price: 0, sortOrder: 1, isDefault: true }
const OLD: AdminPlan = {
  ...PRO,
  slug: 'old',
  name: 'Old',
  price: null,
  sortOrder: 3,
  isArchived: true,
  organizations: 0,
}
const REQUEST: AdminPlanRequest = {
  ...{ _id: 'wish' as AdminPlanRequest['_id'], kind: 'change', plan: { slug: 'pro', name: 'Pro' }, note: 'We are six' },
  ...{ requestedBy: 'Anna', createdAt: 0, organization: { _id: 'tea' as never, name: 'Tea shop', plan: 'parking' } },
}

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  Object.assign(server, {
    asked: [],
    results: { 'admin/plans:list': [PARKING, PRO, OLD], 'admin/plans:requests': [REQUEST] },
  })
  server.calls.mockReset().mockResolvedValue(null)
  server.file.mockReset()
  server.saved.mockReset()
})

function show(search = ''): void {
  const router = createMemoryRouter([{ path: '/', element: <AdminPlansPage /> }])
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

const row = (name: string) => screen.getByText(name, { selector: 'span' }).closest('li') as HTMLElement
async function choose(plan: string, item: string) {
  await press(say('actsOf', { name: plan }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
async function openForm() {
  await press(say('plans.create'))
  return within(await screen.findByRole('dialog'))
}
const field = (form: Pick<typeof screen, 'getByRole'>, name: string) =>
  form.getByRole('textbox', { name: new RegExp(`^${say(`plans.fields.${name}`)}`) })

describe('the list', () => {
  it('shows what each plan holds, which is the default, and which is archived', async () => {
    show()
    expect(row('Parking')).toHaveTextContent(/parking.*Default/)
    expect(row('Pro')).toHaveTextContent(
      /For shops.*100,000.*Messages a month: 20,000.*connections: unlimited.*Organizations: 3/,
    )
    expect(row('Old')).toHaveTextContent(/Archived.*Price by agreement/)
    await expectAccessible()
  })

  it('is put into another order by buttons, which announce the place', async () => {
    show()
    expect(screen.getByRole('button', { name: 'Move “Parking” up' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Move “Old” down' })).toBeDisabled()
    screen.getByRole('button', { name: 'Move “Pro” up' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(server.calls).toHaveBeenCalledWith('admin/plans:reorder', { slugs: ['pro', 'parking', 'old'] })
    expect(await screen.findByText('“Pro” is now number 1 of 3')).toBeInTheDocument()
  })

  it('offers what fits how a plan stands', async () => {
    show()
    await press('Actions: Parking')
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Edit', 'Archive'])
    await userEvent.keyboard('{Escape}')
    await press('Actions: Old')
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Edit', 'Offer again'])
  })

  it.each([
    ['Pro', 'Archive', 'archive', 'pro'],
    ['Pro', 'Make default', 'setDefault', 'pro'],
    ['Old', 'Offer again', 'restore', 'old'],
  ] as const)('%s: %s, after a question', async (plan, item, called, slug) => {
    show()
    await choose(plan, item)
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByRole('heading')).toHaveTextContent(plan)
    await press(item, question)
    expect(server.calls).toHaveBeenCalledWith(`admin/plans:${called}`, { slug })
  })
})

describe('the form', () => {
  it('creates a plan of what is entered; empty numbers are unlimited', async () => {
    show()
    const form = await openForm()
    await expectAccessible()
    await userEvent.type(field(form, 'name'), 'Team')
    await userEvent.type(field(form, 'slug'), 'team')
    await userEvent.type(field(form, 'price'), '70 000')
    await userEvent.click(form.getByRole('combobox'))
    await userEvent.click(screen.getByRole('option', { name: /RUB$/ }))
    await userEvent.type(field(form, 'featuresEn'), 'First{Enter}{Enter} Second ')
    await press('Create plan', form)
    expect(server.calls).toHaveBeenCalledWith('admin/plans:create', {
      ...{ slug: 'team', name: 'Team', description: '', price: 70_000, currency: 'RUB', messages: null, members: null },
      ...{ channelSlots: null, sortOrder: null, features: { ru: [], en: ['First', 'Second'] } },
    })
    expect(await screen.findByText('Plan “Team” created')).toBeInTheDocument()
  })

  it('changes a plan, whose slug stays', async () => {
    show()
    await choose('Pro', 'Edit')
    const form = within(await screen.findByRole('dialog'))
    expect(field(form, 'slug')).toHaveAttribute('readonly')
    await userEvent.clear(field(form, 'messages'))
    await press('Save', form)
    expect(server.calls).toHaveBeenCalledWith('admin/plans:update', {
      slug: 'pro',
      patch: {
        ...{ name: 'Pro', description: 'For shops', price: 100_000, currency: 'KZT', messages: null, members: 20 },
        ...{ channelSlots: null, sortOrder: 2, features: { ru: ['Всё'], en: ['All', 'More'] } },
      },
    })
  })
})

describe('requests', () => {
  it('are shown with who asks for what, and settled either way', async () => {
    show()
    const request = within(screen.getByText('We are six').closest('li') as HTMLElement)
    expect(request.getByText('Asks for the plan “Pro” instead of “parking”')).toBeVisible()
    await press('Give “Pro” to “Tea shop”')
    await press('Give “Pro”', within(await screen.findByRole('alertdialog')))
    expect(server.calls).toHaveBeenLastCalledWith('admin/plans:settle', { requestId: 'wish', planSlug: 'pro' })
    await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
    await press('Close the request of “Tea shop”')
    await press('Close', within(await screen.findByRole('alertdialog')))
    expect(server.calls).toHaveBeenLastCalledWith('admin/plans:settle', { requestId: 'wish' })
  })

  it('have words when there are none', () => {
    server.results['admin/plans:requests'] = []
    show()
    expect(screen.getByText('There are no open requests.')).toBeVisible()
  })
})

describe.each(['en', 'ru'] as const)('what is refused, in %s', (language) => {
  beforeEach(() => speak(language))

  it.each([
    ['missing_plan_name', { slug: 'team' }],
    ['missing_slug', { name: 'Team' }],
    ['invalid_slug', { name: 'Team', slug: 'Team 2' }],
    ['invalid_sort_order', { name: 'Team', slug: 'team', sortOrder: 'first' }],
  ] as const)('%s is shown at its field, and nothing is sent', async (code, entered) => {
    show()
    const form = await openForm()
    for (const [name, text] of Object.entries(entered)) await userEvent.type(field(form, name), text)
    await press(say('plans.create'), form)
    expect(await form.findByText(describeCode(code))).toBeVisible()
    expect(server.calls).not.toHaveBeenCalled()
  })

  it('a number that is none is shown at its field', async () => {
    show()
    const form = await openForm()
    await userEvent.type(field(form, 'name'), 'Team')
    await userEvent.type(field(form, 'slug'), 'team')
    await userEvent.type(field(form, 'messages'), 'many')
    await press(say('plans.create'), form)
    expect(await form.findByText(say('plans.invalidNumber'))).toBeVisible()
    expect(server.calls).not.toHaveBeenCalled()
  })

  it.each(['plan_exists', 'invalid_slug', 'forbidden'] as const)('%s of the server stays in the form', async (code) => {
    server.calls.mockRejectedValue(new AppError(code))
    show()
    const form = await openForm()
    await userEvent.type(field(form, 'name'), 'Team')
    await userEvent.type(field(form, 'slug'), 'team')
    await press(say('plans.create'), form)
    expect(await form.findByRole('alert')).toHaveTextContent(describeCode(code))
  })

  it.each<[ErrorCode, string, string]>([
    ['plan_in_use', 'Pro', 'archive'],
    ['cannot_archive_default_plan', 'Parking', 'archive'],
    ['plan_not_found', 'Pro', 'setDefault'],
  ])('%s is put into words', async (code, plan, act) => {
    server.calls.mockRejectedValue(new AppError(code, { organizations: 3 }))
    show()
    await choose(plan, say(`plans.${act}`))
    await press(say(`plans.${act}`), within(await screen.findByRole('alertdialog')))
    const words = i18next.t(code as never, { ns: 'errors', organizations: 3 }) as unknown as string
    expect(await screen.findByText(words)).toBeInTheDocument()
  })

  it('plan_request_not_found is put into words', async () => {
    server.calls.mockRejectedValue(new AppError('plan_request_not_found'))
    show()
    await press(say('plans.requests.closeOf', { name: 'Tea shop' }))
    await press(say('plans.requests.close'), within(await screen.findByRole('alertdialog')))
    expect(await screen.findByText(describeCode('plan_request_not_found'))).toBeInTheDocument()
  })
})
