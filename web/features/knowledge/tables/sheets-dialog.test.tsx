// Sheets of a workbook: those that are tables are shown as such, others are taken in by choice.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { DataTable, SheetState } from '#shared/knowledge/tables.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SheetsDialog } from './sheets-dialog.tsx'

const take = vi.hoisted(() => vi.fn<(args: unknown) => Promise<null>>())
const sheets = vi.hoisted(() => ({ list: [] as unknown[] }))
fakeConvex(() => ({ useQuery: () => sheets.list, useMutation: () => take }))

const table = { _id: 't1', name: 'Shop.xlsx' } as DataTable
const states = [
  { name: 'Prices', tableId: 't1' },
  { name: 'Stock', tableId: null },
  { name: 'Old', tableId: null },
] as SheetState[]

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tables')
})
beforeEach(() => {
  take.mockReset().mockResolvedValue(null)
  sheets.list = states
})

it('takes in the sheets that are chosen, and closes', async () => {
  const onClose = vi.fn()
  render(<SheetsDialog table={table} onClose={onClose} />)
  expect(screen.getByRole('checkbox', { name: /Prices/ })).toBeDisabled()
  expect(screen.getByRole('checkbox', { name: /Prices/ })).toBeChecked()
  await userEvent.click(screen.getByRole('button', { name: 'Create tables' }))
  expect(screen.getByRole('alert')).toHaveTextContent('Choose at least one sheet.')
  expect(take).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Old' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stock' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Old' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create tables' }))
  expect(take).toHaveBeenCalledExactlyOnceWith({ tableId: 't1', sheets: ['Stock'] })
  expect(onClose).toHaveBeenCalled()
})

it('stays open with the choice when nothing came of it', async () => {
  take.mockRejectedValue(new Error('offline'))
  const onClose = vi.fn()
  render(<SheetsDialog table={table} onClose={onClose} />)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stock' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create tables' }))
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByRole('checkbox', { name: 'Stock' })).toBeChecked()
})
