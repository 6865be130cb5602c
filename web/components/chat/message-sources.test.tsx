// The sources of an answer: one chip per place, and the table rows that it was computed from.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessageSources } from './message-sources.tsx'

const stands = vi.hoisted(() => vi.fn<() => unknown>())
fakeConvex(() => ({ useQuery: stands }))

const computed = {
  groupedBy: 'Product',
  aggregates: [
    { function: 'sum' as const, column: 'Price' },
    { function: 'count' as const, column: null },
  ],
  groups: [
    { key: 'Table', values: [48_000, 39] },
    { key: null, values: [null, 1] },
  ],
  groupCount: 12,
}
const table: MessageSource = {
  chunkId: 't1' as Id<'tables'>,
  documentId: 't1',
  source: 'Prices.csv',
  page: null,
  score: 1,
  excerpt: 'Chair | 300',
  rows: [
    { columns: ['Product', 'Price'], rows: [{ number: 2, cells: ['Chair', '300'] }], matched: 1 },
    { columns: ['Product', 'Price'], rows: [{ number: 1, cells: ['Table', '1200'] }], matched: 40, computed },
  ],
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  stands.mockReset().mockReturnValue({ kind: 'table', spaceSlug: 'shop', spaceName: 'Shop', url: null })
})

it('rows of a table open under each question asked of it', async () => {
  const open = vi.fn()
  const { rows: _, ...ofTable } = table
  const passage = { ...ofTable, chunkId: 'c1' as Id<'chunks'>, excerpt: 'Price: 300' }
  render(<MessageSources sources={[table, passage]} onOpen={open} />, { wrapper: MemoryRouter })
  await userEvent.click(screen.getByRole('button', { name: 'Rows of “Prices.csv”' }))
  const dialog = screen.getByRole('dialog', { name: 'Rows of “Prices.csv”' })
  const [first, groups, second] = within(dialog).getAllByRole('table')
  expect(within(dialog).getByText('1 row')).toBeVisible()
  expect(within(dialog).getByText('1 of 40 rows')).toBeVisible()
  expect(first).toHaveTextContent('2Chair300')
  expect(second).toHaveTextContent('1Table1200')
  expect(within(dialog).getByText('2 of 12 groups by Product')).toBeVisible()
  expect(groups).toHaveTextContent('ProductSum: PriceRowsTable48,00039(empty)—1')
  expect(within(dialog).getByRole('link', { name: 'Open in “Shop”' })).toHaveAttribute(
    'href',
    '/knowledge/space/shop?part=tables&table=t1',
  )
  expect(open).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Open Prices.csv' }))
  expect(open).toHaveBeenCalledWith(passage)
})

it('rows of a deleted table are shown, and marked as past', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React logs what the boundary caught
  stands.mockImplementation(() => {
    throw new AppError('not_found')
  })
  render(<MessageSources sources={[table]} onOpen={() => {}} />, { wrapper: MemoryRouter })
  await userEvent.click(screen.getByRole('button', { name: 'Rows of “Prices.csv”' }))
  expect(screen.getByText(/^The table has since been deleted/)).toBeVisible()
  expect(screen.getAllByRole('table')[0]).toHaveTextContent('2Chair300')
})
