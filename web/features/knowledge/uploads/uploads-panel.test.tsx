// The panel of uploads: the progress of each source, its actions, and failures.
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { SiteWorkItem } from '#shared/knowledge/sites.ts'
import type { TableWorkItem } from '#shared/knowledge/tables.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { DOCUMENT_UPLOADS } from '../documents/upload.rules.ts'
import { queueOf } from '../documents/use-uploads.ts'
import { UploadsPanel } from './uploads-panel.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  answers: {} as Record<string, unknown>,
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
  takeFile: vi.fn<(sent: { replaces: object | null }) => Promise<string>>(),
  findNamed: vi.fn<() => Promise<unknown[]>>(async () => []),
  toast: vi.fn<(text: string) => void>(),
}))
vi.mock('../documents/send-file.ts', () => ({ fileSender: () => server.takeFile }))
vi.mock('#web/lib/toast.ts', () => ({ toast: { success: server.toast, error: server.toast } }))
fakeConvex(() => ({
  useQuery: (reference: Reference) => server.answers[getFunctionName(reference)],
  fetchOnce: server.findNamed,
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
}))
vi.mock('./use-kept-uploads.ts', () => ({ useKeptUploads: () => undefined }))

const table: TableWorkItem = {
  _id: 't1' as Id<'tables'>,
  name: 'Prices.csv',
  status: 'importing',
  errorReason: null,
  chunks: { total: 40, ready: 10, failed: 0 },
  spaceSlug: 'shop',
}
const site: SiteWorkItem = {
  _id: 'w1' as Id<'sites'>,
  url: 'https://shop.example/help/',
  status: 'syncing',
  errorReason: null,
  pages: { pending: 1, done: 3, failed: 0, skipped: 0 },
  spaceSlug: 'shop',
}
const nothing = { unfinished: [], unlisted: 0, ended: [] }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tray')
})
beforeEach(() => {
  sessionStorage.clear()
  server.call.mockReset().mockResolvedValue(null)
  server.toast.mockReset()
})

const open = () => render(<UploadsPanel />, { wrapper: MemoryRouter })
function serverSays(tables: object, sites: object): void {
  server.answers = {
    'knowledge/documents:listWork': nothing,
    'knowledge/tables:listWork': tables,
    'knowledge/sites:listWork': sites,
  }
}

it('shows the progress of tables and sites, and cancels them', async () => {
  serverSays({ ...nothing, unfinished: [table] }, { ...nothing, unfinished: [site] })
  open()
  await userEvent.click(screen.getByRole('button', { name: '2 sources in progress' }))
  const list = within(screen.getByRole('list'))
  expect(list.getByRole('progressbar', { name: '25% of Prices.csv' })).toBeVisible()
  expect(list.getByRole('progressbar', { name: '75% of shop.example/help' })).toBeVisible()
  expect(list.getByRole('link', { name: 'shop.example/help' })).toHaveAttribute('href', '/knowledge/space/shop')
  await userEvent.click(list.getByRole('button', { name: 'Cancel Prices.csv' }))
  await userEvent.click(list.getByRole('button', { name: 'Cancel shop.example/help' }))
  expect(server.call.mock.calls).toEqual([
    ['knowledge/tables:cancel', { tableId: 't1' }],
    ['knowledge/sites:cancel', { siteId: 'w1' }],
  ])
})

it('counts all running work, including what it does not list', async () => {
  serverSays({ ...nothing, unfinished: [table], unlisted: 1199 }, nothing)
  open()
  await userEvent.click(screen.getByRole('button', { name: '1,200 sources in progress' }))
  expect(screen.getByText('1,199 more sources are in progress; you can see them in their spaces.')).toBeVisible()
})

it('keeps failures, also after a reload, until they are retried or hidden', async () => {
  serverSays({ ...nothing, unfinished: [table] }, { ...nothing, unfinished: [site] })
  const { rerender, unmount } = open()
  const failedTable = { ...table, status: 'error', errorReason: 'damaged' }
  const failedSite = { ...site, status: 'error', errorReason: 'robots' }
  serverSays({ ...nothing, ended: [failedTable] }, { ...nothing, ended: [failedSite] })
  rerender(<UploadsPanel />)
  unmount()
  open()
  await userEvent.click(screen.getByRole('button', { name: '2 sources could not be processed' }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again: shop.example/help' }))
  expect(server.call.mock.calls).toEqual([['knowledge/sites:syncNow', { siteId: 'w1' }]])
  await userEvent.click(screen.getByRole('button', { name: 'Hide Prices.csv' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})

it('offers a retry only when it may succeed', async () => {
  const document = { ...table, _id: 'd1', name: 'scan.pdf', status: 'processing', progress: 0.5 }
  const serverHas = (part: object) => {
    serverSays(nothing, nothing)
    server.answers['knowledge/documents:listWork'] = { ...nothing, ...part }
  }
  const going = [document, { ...document, _id: 'd2', name: 'big.pdf' }]
  serverHas({ unfinished: going })
  const { rerender } = open()
  const reasons = ['no_text_layer', 'timeout']
  serverHas({ ended: going.map((each, index) => ({ ...each, status: 'error', errorReason: reasons[index] })) })
  rerender(<UploadsPanel />)
  await userEvent.click(screen.getByRole('button', { name: '2 sources could not be processed' }))
  expect(screen.getByRole('button', { name: 'Hide scan.pdf' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again: scan.pdf' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Try again: big.pdf' })).toBeVisible()
})

it('is hidden while nothing runs, whatever failed before it was opened', () => {
  serverSays({ ...nothing, ended: [{ ...table, status: 'error', errorReason: 'damaged' }] }, nothing)
  open()
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

it('reports once a file sent by this page, however soon it was ready', async () => {
  const file = { ...table, _id: 'd1', name: 'hours.txt', status: 'ready', progress: 1 }
  const serverHasIt = () => {
    serverSays(nothing, nothing)
    server.answers['knowledge/documents:listWork'] = { ...nothing, ended: [file, { ...file, _id: 'd0' }] }
  }
  serverHasIt()
  const { rerender } = open()
  const answered = Promise.withResolvers<string>()
  server.takeFile.mockReturnValueOnce(answered.promise)
  act(() => queueOf('s1' as Id<'knowledgeSpaces'>, DOCUMENT_UPLOADS).add([new File(['9 to 18'], 'hours.txt')]))
  expect(server.toast).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(server.takeFile).toHaveBeenCalled())
  await act(async () => answered.resolve('d1'))
  serverHasIt()
  rerender(<UploadsPanel />)
  expect(server.toast.mock.calls).toEqual([['“hours.txt” is ready: agents can answer from it']])
})

it('asks on any page whether a file replaces the document of the same name', async () => {
  serverSays(nothing, nothing)
  open()
  server.findNamed.mockResolvedValueOnce([{ _id: 'd1', name: 'Hours.txt' }])
  server.takeFile.mockReset().mockReturnValueOnce(new Promise(() => {}))
  const queue = queueOf('s2' as Id<'knowledgeSpaces'>, DOCUMENT_UPLOADS)
  await act(async () => queue.add([new File(['9 to 18'], 'hours.txt')]))
  await userEvent.click(await screen.findByRole('button', { name: '1 source in progress' }))
  await userEvent.click(screen.getByRole('button', { name: 'Replace hours.txt' }))
  expect(server.takeFile.mock.calls[0]?.[0].replaces).toEqual({ documentId: 'd1', name: 'Hours.txt' })
  expect(screen.getByRole('progressbar', { name: '0% of hours.txt' })).toBeVisible()
})
