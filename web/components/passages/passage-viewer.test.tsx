// The viewer of a source: it opens at the passage, and reports when the source has changed.
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Chunk, ChunkLocation, ChunkSource } from '#shared/knowledge/chunks.ts'
import { NOWHERE } from '#shared/knowledge/chunks.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { PassageViewer } from './passage-viewer.tsx'

const queries = vi.hoisted(() => vi.fn<(name: string, args: Record<string, unknown>) => unknown>())
const saved = vi.hoisted(() => vi.fn<(path: string) => Promise<void>>())
vi.mock('#web/lib/server/use-file.ts', () => ({ saveFile: saved }))
fakeConvex(() => ({
  useQuery: (reference: Parameters<typeof getFunctionName>[0], args: Record<string, unknown>) =>
    queries(getFunctionName(reference), args),
}))

const TOTAL = 1000
const meant = {
  documentId: 'd1',
  name: 'Terms',
  chunkId: 'c700',
  excerpt: 'Returns take 14 days.',
  about: 'Within 14 days',
}
const stands: ChunkSource = {
  kind: 'document',
  name: 'Terms',
  knowledgeSpaceId: 's1' as Id<'knowledgeSpaces'>,
  spaceName: 'Shop',
  spaceSlug: 'shop',
  url: null,
  hasFile: true,
}
let location: ChunkLocation
let source: ChunkSource

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
  // jsdom has no layout: the dialog is made as high as four passages, and scrolls without end.
  const sizes = { clientHeight: 600, clientWidth: 600, offsetHeight: 160, scrollHeight: 1_000_000 }
  for (const [name, size] of Object.entries(sizes)) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size })
  }
  Element.prototype.scrollIntoView = vi.fn()
  Element.prototype.scrollTo = function (this: Element, options?: ScrollToOptions | number) {
    this.scrollTop = typeof options === 'object' ? (options.top ?? 0) : 0
    queueMicrotask(() => act(() => void this.dispatchEvent(new Event('scroll'))))
  } as Element['scrollTo']
})
beforeEach(() => {
  location = { total: TOTAL, found: { chunkId: 'c700' as Id<'chunks'>, index: 700, hasChanged: false } }
  source = stands
  saved.mockReset().mockResolvedValue()
  queries.mockReset().mockImplementation((name, args) => {
    if (name === 'knowledge/chunks:locate') return location
    if (name === 'knowledge/chunks:source') return source
    return Array.from({ length: Number(args.count) }, (_, at) => chunkAt(Number(args.from) + at))
  })
})

function chunkAt(index: number): Chunk {
  return {
    ...NOWHERE,
    _id: `c${index}` as Id<'chunks'>,
    documentId: 'd1',
    content: index === 700 ? 'Shipping is free. Returns take 14 days.' : `Rule ${index}.`,
    headingPath: [],
    chunkIndex: index,
    tokens: 5,
    isEnabled: true,
    formerIds: [],
  }
}

const open = (opened: Parameters<typeof PassageViewer>[0]['source'] = meant) =>
  render(
    <MemoryRouter>
      <PassageViewer source={opened} onClose={() => {}} />
    </MemoryRouter>,
  )
const blocksRead = () => [
  ...new Set(queries.mock.calls.filter(([name]) => name.endsWith(':range')).map(([, args]) => Number(args.from))),
]

it('opens far down in a long document without reading what comes before', async () => {
  open()
  expect((await screen.findByText('Returns take 14 days.')).tagName).toBe('MARK')
  const item = screen.getByText('Returns take 14 days.').closest('li')
  expect(item).toHaveAttribute('aria-posinset', '701')
  expect(item).toHaveAttribute('aria-setsize', String(TOTAL))
  expect(blocksRead()).toContain(700)
  expect(blocksRead().filter((from) => from > 0 && from < 650)).toEqual([])
  expect(screen.queryByText('What it said when the agent answered:')).toBeNull()
})

it('shows the used text next to the passage when the passage has changed', async () => {
  location = { total: TOTAL, found: { chunkId: 'c700' as Id<'chunks'>, index: 700, hasChanged: true } }
  open()
  expect(await screen.findByText('The source has changed since.')).toBeVisible()
  expect(screen.getByText('What it said when the agent answered:').nextElementSibling).toHaveTextContent(
    'Returns take 14 days.',
  )
  expect(screen.getByText('What it says now:')).toBeVisible()
  expect(screen.getByText('Found here')).toBeVisible()
})

it('shows the used text when the passage is gone from the document', async () => {
  location = { total: 3, found: null }
  open()
  expect(await screen.findByText('The source has changed since.')).toBeVisible()
  expect(screen.getByRole('blockquote')).toHaveTextContent('Returns take 14 days.')
  expect(screen.queryByText('Found here')).toBeNull()
})

it('shows the excerpt of a web page, and links to the page', async () => {
  const url = 'https://post.example/rates'
  open({
    documentId: url,
    name: 'Rates',
    excerpt: 'Free above 100. Returns take 14 days.',
    about: 'Within 14 days',
    url,
  })
  expect((await screen.findByText('Returns take 14 days.')).tagName).toBe('MARK')
  expect(screen.getByRole('link', { name: 'Open the page' })).toHaveAttribute('href', url)
  expect(queries).not.toHaveBeenCalled()
})

it('shows the used text when the whole source is deleted', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React logs what the boundary caught
  queries.mockImplementation(() => {
    throw new AppError('not_found')
  })
  open()
  expect(await screen.findByText('The source has since been deleted and cannot be opened.')).toBeVisible()
  expect(screen.getByRole('blockquote').querySelector('mark')).toHaveTextContent('Returns take 14 days.')
})

it('offers the file of the source, and names the place of the passage in it', async () => {
  const { unmount } = open({ ...meant, place: { page: 4, lastPage: 5 } })
  await userEvent.click(await screen.findByRole('button', { name: 'Original file: pages 4–5' }))
  expect(saved).toHaveBeenCalledExactlyOnceWith('/api/files/sources/d1')
  unmount()
  open()
  expect(await screen.findByRole('button', { name: 'Original file' })).toBeVisible()
})

it('links to the page of a site instead of a file, and to nothing for a note', async () => {
  source = { ...stands, url: 'https://shop.example/returns', hasFile: false }
  const { unmount } = open()
  expect(await screen.findByRole('link', { name: 'Open the page' })).toHaveAttribute('href', source.url)
  expect(screen.queryByRole('button', { name: /Original file/ })).toBeNull()
  unmount()
  source = { ...stands, kind: 'fragment', hasFile: false }
  open()
  expect(await screen.findByText('Returns take 14 days.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Original file/ })).toBeNull()
})
