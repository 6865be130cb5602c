// The import of a column into search: an obstacle is named next to the button that removes it.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ImportPanel } from './import-panel.tsx'

const calls = vi.hoisted(() => vi.fn<(name: string, args: unknown) => Promise<unknown>>())
fakeConvex(() => ({
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    calls(getFunctionName(reference), args),
}))

const table: DataTable = {
  _id: 't1' as Id<'tables'>,
  knowledgeSpaceId: 's1' as Id<'knowledgeSpaces'>,
  name: 'Prices.csv',
  format: 'csv',
  sizeBytes: 10,
  sheet: null,
  status: 'ready',
  errorReason: null,
  warnings: [],
  reading: {},
  columns: [
    { name: 'Product', type: 'text', samples: ['Table'], unfit: 0 },
    { name: 'Price', type: 'number', samples: ['10'], unfit: 0 },
  ],
  rows: 20,
  isAnalyzed: true,
  importedColumn: null,
  chunks: { total: null, ready: 0, failed: 0 },
  tags: [],
  validFrom: null,
  validUntil: null,
  language: null,
  chosenLanguage: null,
  uploadedAt: 0,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tables', 'knowledge', 'errors')
})
beforeEach(() => {
  calls.mockReset().mockResolvedValue(null)
})

it('requires a column before importing', async () => {
  render(<ImportPanel table={table} />)
  await userEvent.click(screen.getByRole('button', { name: 'Import' }))
  expect(screen.getByRole('alert')).toHaveTextContent('Choose a column first.')
  expect(calls).not.toHaveBeenCalled()
})

it('shows the progress of the import, and cancels it', async () => {
  render(
    <ImportPanel
      table={{ ...table, status: 'importing', importedColumn: 1, chunks: { total: 20, ready: 5, failed: 0 } }}
    />,
  )
  expect(screen.getByText('5 of 20 texts')).toBeVisible()
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  await userEvent.click(screen.getByRole('button', { name: /^Cancel/ }))
  expect(calls).toHaveBeenCalledWith('knowledge/tables:cancel', { tableId: 't1' })
})

it('names the column already imported, and clears its texts', async () => {
  render(<ImportPanel table={{ ...table, importedColumn: 1, chunks: { total: 20, ready: 20, failed: 0 } }} />)
  expect(screen.getByText('Imported column: Product')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Clear texts' }))
  expect(calls).toHaveBeenCalledWith('knowledge/tables:clearImport', { tableId: 't1' })
})

it.each([
  [{ total: 20, ready: 15, failed: 2 }, /5 texts are not searchable/],
  [{ total: null, ready: 0, failed: 0 }, /before any text was ready/],
])('explains what a failed import with %j has left, and retries', async (chunks, text) => {
  render(<ImportPanel table={{ ...table, status: 'error', errorReason: 'failed', importedColumn: 1, chunks }} />)
  expect(screen.getByRole('alert')).toHaveTextContent(text)
  await userEvent.click(screen.getByRole('button', { name: /again/ }))
  expect(calls).toHaveBeenCalledWith('knowledge/tables:retry', { tableId: 't1' })
  expect(screen.getByRole('button', { name: 'Clear texts' })).toBeEnabled()
})
