// The web as a source of a space: the provider's state, unique domains, a trial search.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { WebSearchSettings, WebSearchState } from '#shared/agents/web-search.ts'
import { AppError } from '#shared/errors.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { WebTab } from './web-tab.tsx'

type Call = (args: unknown) => Promise<unknown>
const server = vi.hoisted(() => ({
  answers: {} as Record<string, unknown>,
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
  known: new Map<string, Call>(),
}))
fakeConvex(() => {
  type Reference = Parameters<typeof getFunctionName>[0]
  // Stable between renders, like the real ones.
  const useCall = (reference: Reference) => {
    const name = getFunctionName(reference)
    const call = server.known.get(name) ?? ((args: unknown) => server.call(name, args))
    server.known.set(name, call)
    return call
  }
  return {
    useQuery: (reference: Reference) => server.answers[getFunctionName(reference)],
    useMutation: useCall,
    useAction: useCall,
  }
})

const space = { _id: 's1', name: 'Shop' } as KnowledgeSpace
const settings: WebSearchSettings = {
  knowledgeSpaceId: space._id,
  isEnabled: true,
  domains: [{ domain: 'example.com', name: 'example.com' }],
  dailyLimit: 100,
}
const state: WebSearchState = { provider: 'brave', usedToday: 3, organization: { usedToday: 7, dailyLimit: 1000 } }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('web-search', 'errors')
})
beforeEach(() => {
  server.call.mockReset()
})

async function open(answers: Record<string, unknown>, held = state, kept = settings) {
  server.answers = { 'knowledge/webSearch:get': kept }
  server.call.mockImplementation(async (name) => {
    const answer = name in answers ? answers[name] : held
    if (answer instanceof Error) throw answer
    return answer
  })
  render(<WebTab space={space} />)
  await screen.findByText('Where to search')
  return userEvent.setup()
}

it("names the provider and today's usage", async () => {
  await open({})
  expect(screen.getByText(/Search provider: Brave Search\. Your organization has used 7 of 1,000/)).toBeVisible()
  expect(screen.getByText(/3 of 100 used today/)).toBeVisible()
})

it('explains that no provider is set up, and offers no search', async () => {
  await open({}, { ...state, provider: null })
  expect(screen.getByText('No search provider is set up')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Search' })).toBeDisabled()
})

it('explains next to the field that a domain is listed already', async () => {
  const user = await open({ 'knowledge/webSearch:addDomain': new AppError('domain_exists', { domain: 'example.com' }) })
  await user.type(screen.getByLabelText('Domain'), 'https://www.example.com/{Enter}')
  expect(await screen.findByText('example.com is already in the list. Enter another domain.')).toBeVisible()
  expect(screen.getByLabelText('Domain')).toHaveValue('https://www.example.com/')
})

it('explains what a list, and an empty list, mean for agents of several spaces', async () => {
  await open({})
  expect(
    screen.getByText(/searches the domains of all lists together, even if one of the spaces has no list/),
  ).toBeVisible()
  cleanup()
  await open({}, state, { ...settings, domains: [] })
  expect(screen.getByText(/also has a space with such a list searches only those domains/)).toBeVisible()
})

it('requires a question, and shows the pages with their addresses', async () => {
  const hit = { url: 'https://example.com/rates', title: 'Rates', text: 'Five.' }
  const user = await open({ 'knowledge/webSearch:test': [hit] })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  expect(screen.getByText('Enter what to search for.')).toBeVisible()
  await user.type(screen.getByRole('searchbox'), 'rates{Enter}')
  expect(await screen.findByRole('link', { name: 'Rates' })).toHaveAttribute('href', 'https://example.com/rates')
  expect(server.call.mock.calls.filter(([name]) => name === 'knowledge/webSearch:state')).toHaveLength(2)
})

it('explains why nothing was searched', async () => {
  const user = await open({ 'knowledge/webSearch:test': new AppError('web_search_limit_reached', { limit: 100 }) })
  await user.type(screen.getByRole('searchbox'), 'rates{Enter}')
  expect(await screen.findByText(/No web searches are left today \(limit: 100\)/)).toBeVisible()
})
