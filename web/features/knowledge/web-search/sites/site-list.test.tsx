// The list of sites: adding, reading with progress, stopping, and the result of each page.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { Site, SitePage } from '#shared/knowledge/sites.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SiteList } from './site-list.tsx'

const server = vi.hoisted(() => ({
  sites: [] as unknown[],
  pages: [] as unknown[],
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: () => server.sites,
  usePaginatedQuery: () => ({ results: server.pages, status: 'Exhausted', loadMore: () => {} }),
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(reference), args),
}))

const space = { _id: 's1', name: 'Shop' } as KnowledgeSpace
const site = (more: Partial<Site> = {}): Site => ({
  _id: 'w1' as Site['_id'],
  knowledgeSpaceId: space._id,
  url: 'https://shop.example/help',
  mode: 'crawl',
  maxPages: 200,
  maxDepth: 3,
  everyHours: 24,
  status: 'ready',
  errorReason: null,
  pages: { pending: 0, done: 12, skipped: 2, failed: 1 },
  lastSyncedAt: Date.now(),
  nextSyncAt: null,
  ...more,
})

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('web-search', 'errors')
})
beforeEach(() => {
  server.call.mockReset().mockResolvedValue(null)
})

function open(...sites: Site[]) {
  server.sites = sites
  render(<SiteList space={space} />)
  return userEvent.setup()
}

it('adds a site with its crawl settings', async () => {
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Add a site' }))
  await user.click(screen.getByRole('button', { name: 'Add and read' }))
  expect(screen.getByText('Enter an address.')).toBeVisible()
  await user.type(screen.getByLabelText('Address'), 'shop.example')
  await user.click(screen.getByRole('radio', { name: /By sitemap/ }))
  const pages = screen.getByLabelText('Pages, at most')
  await user.clear(pages)
  await user.type(pages, '5000')
  expect(screen.getByText('Enter a whole number from 1 to 1,000.')).toBeVisible()
  await user.clear(pages)
  await user.type(pages, '50')
  await user.click(screen.getByRole('button', { name: 'Add and read' }))
  const given = { url: 'shop.example', mode: 'sitemap', maxPages: 50, maxDepth: 3, everyHours: 168 }
  expect(server.call.mock.calls).toEqual([['knowledge/sites:create', { knowledgeSpaceId: 's1', ...given }]])
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('explains next to the address why it was refused, and keeps what was typed', async () => {
  server.call.mockRejectedValue(new AppError('site_exists'))
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Add a site' }))
  await user.type(screen.getByLabelText('Address'), 'shop.example{Enter}')
  expect(await screen.findByText('This address is already in the list. Enter another one.')).toBeVisible()
  expect(screen.getByLabelText('Address')).toHaveValue('shop.example')
})

it('shows the progress of reading, and stops it', async () => {
  const user = open(site({ status: 'syncing', pages: { pending: 5, done: 12, skipped: 2, failed: 1 } }))
  expect(screen.getByRole('progressbar', { name: '15 of 20 pages of shop.example/help' })).toHaveAttribute(
    'aria-valuenow',
    '75',
  )
  await user.click(screen.getByRole('button', { name: 'Stop: shop.example/help' }))
  expect(server.call).toHaveBeenCalledWith('knowledge/sites:cancel', { siteId: 'w1' })
})

it('explains why nothing could be read, and retries', async () => {
  const user = open(site({ status: 'error', errorReason: 'robots' }))
  expect(screen.getByText(/asks robots not to read this/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Read again: shop.example/help' }))
  expect(server.call).toHaveBeenCalledWith('knowledge/sites:syncNow', { siteId: 'w1' })
})

it('shows the result of each page, and reads one again', async () => {
  const page = { title: 'Rates', reason: null, document: null, fetchedAt: 0 }
  server.pages = [
    { ...page, _id: 'p1', url: 'https://shop.example/help/rates', status: 'done' },
    { ...page, _id: 'p2', url: 'https://shop.example/help/old', title: '', status: 'failed', reason: 'unreachable' },
  ] as SitePage[]
  const user = open(site())
  await user.click(screen.getByRole('button', { name: 'Pages' }))
  const dialog = screen.getByRole('dialog', { name: 'Pages' })
  expect(within(dialog).getByText('Read')).toBeVisible()
  expect(within(dialog).getByText(/Could not be reached/)).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Read again: https://shop.example/help/old' }))
  expect(server.call.mock.calls).toEqual([['knowledge/sites:retryPage', { sitePageId: 'p2' }]])
})

it('shows what is left of a site being removed, without actions', () => {
  open(site({ status: 'removing', pages: { pending: 0, done: 7, skipped: 2, failed: 0 } }))
  expect(screen.getByText('Removing')).toBeVisible()
  expect(screen.getByText(/^9 pages are left/)).toBeVisible()
  expect(screen.getAllByRole('button')).toEqual([screen.getByRole('button', { name: 'Add a site' })])
})

it('asks before it removes a site with its documents', async () => {
  const user = open(site())
  await user.click(screen.getByRole('button', { name: 'Actions for shop.example/help' }))
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }))
  expect(screen.getByText(/12 documents made from its pages are deleted too/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove site' }))
  expect(server.call).toHaveBeenCalledWith('knowledge/sites:remove', { siteId: 'w1' })
})
