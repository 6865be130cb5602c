// The list of documents: what is asked of the server as it is looked through, and what stands there when nothing is found.
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { KNOWLEDGE_SOURCES, type KnowledgeDocument, type KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { DocumentList } from './document-list.tsx'

vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

type Asked = { search?: string; status?: string; sort?: string }
const browse = vi.hoisted(() => vi.fn<(args: Asked) => { results: unknown[]; status: string }>())
const loadMore = vi.hoisted(() => vi.fn())
const mutated = vi.hoisted(() => vi.fn())
const onRemove = vi.fn<(document: KnowledgeDocument) => void>()
const onReplace = vi.fn<(document: KnowledgeDocument) => void>()
fakeConvex(() => ({
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) => {
    mutated(getFunctionName(reference), args)
    return Promise.resolve(null)
  },
  useQuery: (reference: Parameters<typeof getFunctionName>[0]) =>
    getFunctionName(reference) === 'knowledge/documents:count' ? 1234 : undefined,
  usePaginatedQuery: (_: unknown, args: Asked) => ({ ...browse(args), loadMore }),
}))

const space: KnowledgeSpace = {
  _id: 's1' as Id<'knowledgeSpaces'>,
  slug: 'shop',
  name: 'Shop',
  organizationId: 'o1' as Id<'organizations'>,
  description: '',
  enabledSources: [...KNOWLEDGE_SOURCES],
  linkedAgents: 0,
  documents: 10_000,
  fragments: 0,
  tables: 0,
  createdAt: 0,
  updatedAt: 0,
} as KnowledgeSpace
const documents = Array.from({ length: 50 }, (_, index) => document(index))

function document(index: number): Partial<KnowledgeDocument> {
  const figures = {
    sizeBytes: 10,
    progress: 1,
    chunks: 1,
    tokens: 5,
    pages: null,
    rows: null,
    columns: null,
    sheets: null,
    servesEarlier: false,
  }
  const marks = { tags: [], validFrom: null, validUntil: null, language: null, chosenLanguage: null }
  const state = {
    status: 'ready' as const,
    errorReason: null,
    errorAt: null,
    warnings: [],
    isSitePage: false,
    uploadedAt: 0,
  }
  return { _id: `d${index}` as Id<'documents'>, name: `File ${index}.txt`, ...figures, ...state, ...marks }
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
  // jsdom lays nothing out: the window is as high as ten rows.
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 66 })
  window.innerHeight = 660
})
beforeEach(() => {
  loadMore.mockReset()
  browse.mockReset().mockReturnValue({ results: documents, status: 'CanLoadMore' })
})

function open(at = '/') {
  const nothing = () => {}
  const list = (
    <DocumentList space={space} isUploading={false} onOpen={nothing} onRemove={onRemove} onReplace={onReplace} />
  )
  window.history.replaceState(null, '', at)
  render(<RouterProvider router={createBrowserRouter([{ path: '/', element: <NuqsAdapter>{list}</NuqsAdapter> }])} />)
}

it('draws what is in sight alone, and names its place among all', async () => {
  open()
  const first = await screen.findByRole('button', { name: 'Open “File 0.txt”' })
  expect(first.closest('li')).toHaveAttribute('aria-posinset', '1')
  expect(first.closest('li')).toHaveAttribute('aria-setsize', '-1')
  expect(screen.queryByRole('button', { name: 'Open “File 40.txt”' })).toBeNull()
  expect(loadMore).not.toHaveBeenCalled()
})

it('says which version agents answer from when a new one is refused, and opens that', async () => {
  const refused = { ...document(0), status: 'error' as const, errorReason: 'damaged' as const, servesEarlier: true }
  browse.mockReturnValue({ results: [refused], status: 'Exhausted' })
  open()
  expect(await screen.findByText(/damaged/)).toBeVisible()
  expect(screen.getByText('It could not be read; agents still answer from the previous version.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Open “File 0.txt”' })).toBeVisible()
})

it('takes a new version of what is neither being processed nor a page of a site', async () => {
  const busy = { ...document(1), status: 'processing' as const, servesEarlier: false }
  const page = { ...document(2), isSitePage: true }
  browse.mockReturnValue({ results: [document(0), busy, page], status: 'Exhausted' })
  open()
  const menuOf = async (index: number) => {
    await userEvent.click(await screen.findByRole('button', { name: `Actions for “File ${index}.txt”` }))
    return screen.findAllByRole('menuitem')
  }
  const words = async (index: number) => {
    const items = (await menuOf(index)).map(({ textContent }) => textContent)
    await userEvent.keyboard('{Escape}')
    return items
  }
  expect([await words(1), await words(2)]).toEqual([['Delete'], ['View passages', 'Delete']])
  await menuOf(0)
  await userEvent.click(screen.getByRole('menuitem', { name: 'Upload a new version' }))
  expect(onReplace).toHaveBeenCalledWith(expect.objectContaining({ _id: 'd0' }))
})

it('offers after an error what can help: the same file again, another one, or both', async () => {
  const failed = (index: number, errorReason: KnowledgeDocument['errorReason'], isSitePage = false) => {
    return { ...document(index), status: 'error' as const, errorReason, isSitePage, servesEarlier: false }
  }
  const results = [failed(0, 'type_mismatch'), failed(1, 'timeout'), failed(2, 'failed'), failed(3, 'empty', true)]
  browse.mockReturnValue({ results, status: 'Exhausted' })
  open()
  const versionOf = 'Upload a new version of “File 0.txt”'
  await userEvent.click(await screen.findByRole('button', { name: versionOf }))
  expect(onReplace).toHaveBeenCalledWith(expect.objectContaining({ _id: 'd0' }))
  const offered = screen.getAllByRole('button', { name: /^(Process|Upload a new version)/ })
  expect(offered.map((button) => button.getAttribute('aria-label'))).toEqual([
    ...[versionOf, 'Process “File 1.txt” again', 'Upload a new version of “File 1.txt”', 'Process “File 2.txt” again'],
  ])
})

it('shows how a text reads in each likely encoding, and reads it as chosen', async () => {
  const encodingChoices = [
    { encoding: 'gb18030', preview: '产品价格' },
    { encoding: 'big5', preview: '莉こ' },
  ]
  const unsure = { ...document(0), status: 'error' as const, errorReason: 'encoding_unsure' as const, encodingChoices }
  browse.mockReturnValue({ results: [unsure], status: 'Exhausted' })
  open()
  expect(await screen.findByText('Needs your choice')).toBeVisible()
  expect(screen.getByRole('radio', { name: /产品价格/ })).toBeChecked()
  await userEvent.click(screen.getByRole('radio', { name: /莉こ/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Read “File 0.txt” in the chosen encoding' }))
  expect(mutated).toHaveBeenCalledWith('knowledge/documents:chooseEncoding', { documentId: 'd0', encoding: 'big5' })
})

it('says what was hidden and what is there already, with what can be done about it', async () => {
  const warnings: KnowledgeDocument['warnings'] = [
    { kind: 'same_file', documentId: 'd9' as Id<'documents'>, name: 'Rules.md' },
    { kind: 'hidden', counts: { rows: 2, sheets: 1 }, isIncluded: false },
  ]
  browse.mockReturnValue({ results: [{ ...document(0), warnings, includesHidden: false }], status: 'Exhausted' })
  open()
  expect(await screen.findByText('Left out because the author hid it: 2 rows, 1 sheet.')).toBeVisible()
  expect(screen.getByText('This is the same file as “Rules.md”.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Include hidden content of “File 0.txt”' }))
  expect(mutated).toHaveBeenLastCalledWith('knowledge/documents:includeHidden', {
    documentId: 'd0',
    includesHidden: true,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Keep both: “File 0.txt”' }))
  expect(mutated).toHaveBeenLastCalledWith('knowledge/documents:keepBoth', { documentId: 'd0' })
  await userEvent.click(screen.getByRole('button', { name: 'Delete this copy: “File 0.txt”' }))
  expect(onRemove).toHaveBeenCalledWith(expect.objectContaining({ _id: 'd0' }))
})

it('asks for more before the end is in sight', async () => {
  browse.mockReturnValue({ results: documents.slice(0, 20), status: 'CanLoadMore' })
  open()
  await screen.findByRole('button', { name: 'Open “File 0.txt”' })
  expect(loadMore).toHaveBeenCalledWith(50)
})

it('searches once the typing rests, keeps the list meanwhile, and says how many were found', async () => {
  open()
  const box = await screen.findByRole('searchbox', { name: 'Find a document' })
  for (const value of ['r', 'ru', 'rul', 'rule', 'rules']) fireEvent.change(box, { target: { value } }) // with no rest between them
  browse.mockReturnValue({ results: [], status: 'LoadingFirstPage' })
  await waitFor(() => expect(browse.mock.lastCall?.[0].search).toBe('rules'))
  const asked = new Set(browse.mock.calls.map(([args]) => args.search))
  expect(asked.has('r')).toBe(false)
  expect(screen.getByRole('button', { name: 'Open “File 0.txt”' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('1,234 documents found')
  await waitFor(() => expect(window.location.search).toBe('?search=rules'))
})

it('offers all documents again when none passes', async () => {
  browse.mockImplementation(({ status }) => ({ results: status ? [] : documents, status: 'Exhausted' }))
  open('/?status=error&sort=name')
  expect(browse.mock.lastCall?.[0]).toMatchObject({ status: 'error', sort: 'name' })
  await userEvent.click(await screen.findByRole('button', { name: 'Show all documents' }))
  expect(await screen.findByRole('button', { name: 'Open “File 0.txt”' })).toBeVisible()
})
