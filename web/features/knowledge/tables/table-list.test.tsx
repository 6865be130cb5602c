// The list of tables: read as it is scrolled, searched by the server, and what stands there when nothing is found.
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TableList } from './table-list.tsx'

type Asked = { search: string }
const list = vi.hoisted(() => vi.fn<(args: Asked) => { results: unknown[]; status: string }>())
const loadMore = vi.hoisted(() => vi.fn())
fakeConvex(() => ({
  useMutation: () => () => Promise.resolve(null),
  usePaginatedQuery: (_: unknown, args: Asked) => ({ ...list(args), loadMore }),
}))

const onChooseSheets = vi.fn()

const tables = Array.from({ length: 50 }, (_, index) => tableAt(index))

function tableAt(index: number): DataTable {
  const marks = { tags: [], validFrom: null, validUntil: null, language: null, chosenLanguage: null }
  const content = { warnings: [], reading: {}, columns: [], rows: 3, isAnalyzed: true, importedColumn: null }
  return {
    _id: `t${index}` as DataTable['_id'],
    knowledgeSpaceId: 's1' as KnowledgeSpace['_id'],
    name: `Prices ${index}.csv`,
    format: 'csv',
    sizeBytes: 10,
    sheet: null,
    status: 'ready',
    errorReason: null,
    chunks: { total: null, ready: 0, failed: 0 },
    uploadedAt: 0,
    ...content,
    ...marks,
  }
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tables', 'knowledge')
  // jsdom lays nothing out: the window is as high as ten rows.
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 66 })
  window.innerHeight = 660
})
beforeEach(() => {
  loadMore.mockReset()
  list.mockReset().mockReturnValue({ results: tables, status: 'CanLoadMore' })
})

type Opened = { at?: string; isUploading?: boolean; role?: OrganizationRole }

function open({ at = '/', isUploading = false, role = 'builder' }: Opened = {}) {
  const shown = (
    <TableList
      space={{ _id: 's1' } as KnowledgeSpace}
      isUploading={isUploading}
      onOpen={() => {}}
      onRemove={() => {}}
      onChooseSheets={onChooseSheets}
    />
  )
  window.history.replaceState(null, '', at)
  const router = createBrowserRouter([{ path: '/', element: <NuqsAdapter>{shown}</NuqsAdapter> }])
  render(asRole(role, <RouterProvider router={router} />))
}

it('draws what is in sight alone, and asks for more before the end is in sight', async () => {
  list.mockReturnValue({ results: tables.slice(0, 24), status: 'CanLoadMore' })
  open()
  const first = await screen.findByRole('button', { name: 'Open “Prices 0.csv”' })
  expect(first.closest('li')).toHaveAttribute('aria-posinset', '1')
  expect(screen.queryByRole('button', { name: 'Open “Prices 23.csv”' })).toBeNull()
  expect(loadMore).toHaveBeenCalledWith(50)
})

it('asks for what is searched for, keeps the list meanwhile, and offers all tables again when none passes', async () => {
  list.mockImplementation(({ search }) => ({ results: search ? [] : tables, status: 'Exhausted' }))
  open()
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Find a table' }), 'stock')
  await waitFor(() => expect(list).toHaveBeenCalledWith(expect.objectContaining({ search: 'stock' })))
  await userEvent.click(await screen.findByRole('button', { name: 'Show all tables' }))
  expect(await screen.findByRole('button', { name: 'Open “Prices 0.csv”' })).toBeVisible()
  await waitFor(() => expect(window.location.search).toBe(''))
})

it('invites to upload the first one, unless one is on its way', async () => {
  list.mockReturnValue({ results: [], status: 'Exhausted' })
  open()
  expect(await screen.findByText('No tables yet')).toBeVisible()
  expect(screen.queryByRole('searchbox')).toBeNull()
})

it('says nothing of an empty list while a file is on its way', () => {
  list.mockReturnValue({ results: [], status: 'Exhausted' })
  open({ isUploading: true })
  expect(screen.queryByText('No tables yet')).toBeNull()
})

it('offers the other sheets of a workbook; where they are not known by name, it says what to do', async () => {
  const warnings: DataTable['warnings'] = [{ kind: 'sheets_left_out', count: 2 }]
  const known = { ...tableAt(0), sheet: 'Prices', warnings }
  list.mockReturnValue({ results: [known, { ...tableAt(1), warnings }], status: 'Exhausted' })
  open()
  expect(await screen.findByText(/Sheet “Prices”/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Choose sheets' }))
  expect(onChooseSheets).toHaveBeenCalledExactlyOnceWith(known)
  expect(
    screen.getByText(/2 other sheets or tables of the file were left out. Upload the file again to choose among them./),
  ).toBeVisible()
})

it.each([
  ['builder', true],
  ['operator', false],
  ['analyst', false],
] as const)('lets a member who is %s try again what has failed: %s', (role, isAllowed) => {
  list.mockReturnValue({ results: [{ ...tableAt(0), status: 'error', errorReason: 'failed' }], status: 'Exhausted' })
  open({ role })
  expect(screen.queryByRole('button', { name: /again|Retry/i }) !== null).toBe(isAllowed)
})
