// The columns of a table: their types are corrected here, and values that do not fit are shown with examples.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { DataTable, TableColumn } from '#shared/knowledge/tables.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ColumnList } from './column-list.tsx'

const calls = vi.hoisted(() => vi.fn<(name: string, args: unknown) => Promise<unknown>>())
fakeConvex(() => ({
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    calls(getFunctionName(reference), args),
}))

const MISFITS = [
  { row: 5, cell: 'по запросу' },
  { row: 9, cell: 'от 500 ₽' },
]
const text: TableColumn = { name: 'Товар', type: 'text', samples: ['Стол'], unfit: 0 }

const show = (price: Partial<TableColumn>) => {
  const columns = [text, { name: 'Цена', type: 'number', samples: ['10'], unfit: 0, ...price }]
  return render(
    <ColumnList table={{ _id: 't1', columns, warnings: [], reading: {}, importedColumn: 1 } as unknown as DataTable} />,
  )
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tables', 'errors')
})
beforeEach(() => {
  calls.mockReset().mockResolvedValue(null)
})

it('changes the type of a column', async () => {
  show({ type: 'text' })
  await userEvent.click(screen.getByRole('combobox', { name: 'Type of column “Цена”' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Number' }))
  expect(calls).toHaveBeenCalledExactlyOnceWith('knowledge/tables:setColumnType', {
    tableId: 't1',
    column: 2,
    type: 'number',
  })
})

it('shows how many cells do not fit, with examples', () => {
  show({ unfit: 12, misfits: MISFITS })
  expect(
    screen.getByText(
      'Not a number: 12 cells. They are not counted in calculations. For example: “по запросу” in row 5, “от 500 ₽” in row 9.',
    ),
  ).toBeVisible()
})

it('shows the count without examples when none were kept', () => {
  show({ unfit: 1 })
  expect(screen.getByText('Not a number: 1 cell. It is not counted in calculations.')).toBeVisible()
})

it('shows the chosen type while values are recomputed, and that the old one is still in effect', () => {
  show({ type: 'text', wanted: 'number', unfit: 0 })
  expect(screen.getByRole('combobox', { name: 'Type of column “Цена”' })).toHaveTextContent('Number')
  expect(screen.getByText(/until then the old type applies/)).toBeVisible()
})

it('names the unit of numbers next to their column', () => {
  show({ name: 'Вес', unit: 'кг', samples: ['5 кг'] })
  expect(screen.getByRole('rowheader', { name: 'Вес, кг' })).toBeVisible()
})
