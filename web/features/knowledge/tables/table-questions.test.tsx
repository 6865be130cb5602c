// Questions about a table: each shows what its answers would make of the file, and sends the one that was chosen.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { DataTable, TableColumn, TableWarning } from '#shared/knowledge/tables.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TableQuestions } from './table-questions.tsx'

const calls = vi.hoisted(() => vi.fn<(name: string, args: unknown) => Promise<unknown>>())
const rows = vi.hoisted(() => ({ list: [] as string[][] }))
fakeConvex(() => ({
  useQuery: () => rows.list,
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    calls(getFunctionName(reference), args),
}))

const text: TableColumn = { name: 'Item', type: 'text', samples: ['Flour'], unfit: 0 }

function show(of: { warnings?: TableWarning[]; column?: Partial<TableColumn> } & Partial<DataTable>) {
  const { warnings = [], column, ...rest } = of
  const columns = [text, { name: 'Weight', type: 'number', samples: ['12,125'], unfit: 0, ...column }]
  const table = { _id: 't1', status: 'ready', reading: {}, importedColumn: null, ...rest, warnings, columns }
  return render(<TableQuestions table={table as DataTable} />)
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tables', 'errors')
})
beforeEach(() => {
  calls.mockReset().mockResolvedValue(null)
  rows.list = [['Sneakers', '100'], [], ['Boots', '200']]
})

it('shows nothing where there is none', () => {
  expect(show({}).container).toBeEmptyDOMElement()
})

it('asks what a sign means, with the numbers that follow, and takes the answer by keyboard', async () => {
  const examples = [{ cell: '12,125', thousands: 12_125, decimal: 12.125 }]
  show({ column: { doubt: { kind: 'sign', sign: ',', examples } } })
  expect(screen.getByRole('radio', { name: /^It separates thousands\s*12,125 is 12,125$/ })).toBeChecked()
  await expectAccessible()
  screen.getByRole('radio', { name: /separates thousands/ }).focus()
  await userEvent.keyboard('{ArrowDown}[Space]')
  await userEvent.click(screen.getByRole('button', { name: 'Read like this' }))
  expect(calls).toHaveBeenCalledExactlyOnceWith('knowledge/tables:settleColumn', {
    tableId: 't1',
    column: 2,
    means: 'decimal',
  })
})

it('asks what stands first in a date', async () => {
  const examples = [{ cell: '02/03/2026', dayFirst: '2026-03-02', monthFirst: '2026-02-03' }]
  show({ column: { type: 'date', doubt: { kind: 'date_order', examples } } })
  await userEvent.click(screen.getByRole('radio', { name: /^The month\s*02\/03\/2026 is 2026-02-03$/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Read like this' }))
  expect(calls.mock.calls[0]?.[1]).toEqual({ tableId: 't1', column: 2, means: 'month-first' })
})

it('asks what divides the columns, with the rows that follow; earlier answers stay', async () => {
  const readings = [
    { delimiter: ';' as const, rows: [['a', 'b,c']] },
    { delimiter: ',' as const, rows: [['a;b', 'c']] },
  ]
  show({ warnings: [{ kind: 'delimiter_unsure', chosen: ';', readings }], reading: { lastRow: 9 } })
  const comma = screen.getByRole('radio', { name: /A comma/ })
  expect(within(comma.closest('label') as HTMLElement).getByText('a;b')).toBeVisible()
  await expectAccessible()
  await userEvent.click(comma)
  await userEvent.click(screen.getByRole('button', { name: 'Read like this' }))
  expect(calls).toHaveBeenCalledExactlyOnceWith('knowledge/tables:setReading', {
    tableId: 't1',
    reading: { lastRow: 9, delimiter: ',' },
  })
})

it('asks whether rows are sections', async () => {
  show({ warnings: [{ kind: 'sections_unsure', count: 2, names: ['Shoes', 'Scarf'] }] })
  await userEvent.click(screen.getByRole('radio', { name: /^Items/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Read like this' }))
  expect(calls.mock.calls[0]?.[1]).toEqual({ tableId: 't1', reading: { loneRows: 'items' } })
})

it('lets the header and the end be chosen', async () => {
  show({ warnings: [{ kind: 'header_unsure' }] })
  expect(screen.queryByRole('radio', { name: /row 2/ })).not.toBeInTheDocument()
  await expectAccessible()
  await userEvent.click(screen.getByRole('radio', { name: /The header is in row 3/ }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Last row' }), '40')
  await userEvent.click(screen.getByRole('button', { name: 'Read again' }))
  expect(calls.mock.calls[0]?.[1]).toEqual({ tableId: 't1', reading: { headerRow: 3, headerRows: 1, lastRow: 40 } })
})

it('says what to do first while texts of the table are searched', () => {
  show({ warnings: [{ kind: 'sections_unsure', count: 1, names: ['Shoes'] }], importedColumn: 1 })
  expect(screen.getByText('To read the file again, first clear the search texts.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Read like this' })).not.toBeInTheDocument()
})
