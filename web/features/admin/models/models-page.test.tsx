// Models and prices: unknown prices come first, a price is set, a model is withdrawn, and refusals are shown in the dialog.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { AdminModel } from '#shared/organizations/model-settings.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { ModelsPage } from './models-page.tsx'

const USE = { calls: 0, tokens: 0, costMicroUsd: 0, unpricedCalls: 0 }
const MODEL: AdminModel = {
  ...{
    name: 'openai/gpt-5',
    provider: 'openai',
    label: 'GPT-5',
    isConfigured: true,
    isOffered: true,
    isDefault: false,
  },
  ...{ price: { input: 1.25, output: 10, cachedInput: null, maxInputTokens: null }, setFrom: null, next: null },
  ...{ agents: 2, use: USE },
}
const UNPRICED: AdminModel = {
  ...MODEL,
  ...{ name: 'openai/own', label: 'openai/own', price: null, use: { ...USE, calls: 5, unpricedCalls: 5 } },
}
const server = vi.hoisted(() => ({ models: [] as unknown[], change: vi.fn() }))
fakeConvex(() => ({
  useQuery: (_query: unknown, args: object) => ('model' in args ? [] : { models: server.models }),
  useMutation: () => (args: object) => server.change(args),
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  server.models = [MODEL, UNPRICED]
  server.change.mockReset().mockResolvedValue(null)
})

function show(): void {
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: <ModelsPage /> }])} />)
}

it('puts models of unknown price that are used first, and sets a price', async () => {
  show()
  expect(screen.getByText(/there were 5 calls of unknown price/)).toBeVisible()
  expect(screen.getAllByRole('listitem')[0]).toHaveTextContent('openai/own')
  await userEvent.click(screen.getByRole('button', { name: 'Price of openai/own' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findAllByText(/A number from 0 to 100,000/)).toHaveLength(2)
  await userEvent.type(dialog.getByRole('textbox', { name: /^Input/ }), '0.4')
  await userEvent.type(dialog.getByRole('textbox', { name: /^Output/ }), '1.6')
  await expectAccessible()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const price = { input: 0.4, output: 1.6, cachedInput: null, maxInputTokens: null }
  expect(server.change).toHaveBeenCalledWith({ model: 'openai/own', price })
})

it.each([
  ['en', 'Save', /A price cannot change in the past/],
  ['ru', 'Сохранить', /Цену нельзя изменить задним числом/],
] as const)('keeps the dialog open with a refusal, in %s', async (language, save, refusal) => {
  await setLanguage(language)
  server.change.mockRejectedValue(new AppError('price_in_past'))
  show()
  await userEvent.click(screen.getByRole('button', { name: /^(Price of|Цена модели) GPT-5$/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: save }))
  expect(await dialog.findByText(refusal)).toBeVisible()
})

it('withdraws a model, and makes one that of new agents, which stays offered', async () => {
  show()
  await userEvent.click(screen.getByRole('switch', { name: 'Offer the model GPT-5' }))
  expect(server.change).toHaveBeenCalledWith({ model: 'openai/gpt-5', isOffered: false })
  await userEvent.click(screen.getByRole('button', { name: 'For new agents: choose GPT-5' }))
  expect(server.change).toHaveBeenCalledWith({ model: 'openai/gpt-5' })
  await expectAccessible()
})

it('does not let the model of new agents be withdrawn', () => {
  server.models = [{ ...MODEL, isDefault: true }]
  show()
  expect(screen.getByRole('switch', { name: 'Offer the model GPT-5' })).toBeDisabled()
})
