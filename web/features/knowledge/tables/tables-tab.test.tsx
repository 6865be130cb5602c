// The tables of a space: what stands there when one is deleted while its sheets are chosen.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TablesTab } from './tables-tab.tsx'

vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const table = vi.hoisted(() => ({
  _id: 't1',
  name: 'Shop.xlsx',
  format: 'xlsx',
  sizeBytes: 10,
  sheet: 'Prices',
  status: 'ready',
  errorReason: null,
  chunks: { total: null, ready: 0, failed: 0 },
  uploadedAt: 0,
  warnings: [{ kind: 'sheets_left_out', count: 1 }],
  columns: [],
  rows: 3,
  isAnalyzed: true,
  importedColumn: null,
  tags: [],
  validFrom: null,
  validUntil: null,
  language: null,
  chosenLanguage: null,
}))
fakeConvex(() => ({
  useMutation: () => () => Promise.resolve(null),
  usePaginatedQuery: () => ({ results: [table as unknown as DataTable], status: 'Exhausted', loadMore: () => {} }),
  useQuery: (reference: Parameters<typeof getFunctionName>[0]) => {
    if (getFunctionName(reference) === 'knowledge/tables:sheets') throw new AppError('not_found')
  },
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tables', 'knowledge')
  // jsdom lays nothing out.
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 66 })
})

it('says that a table is gone whose sheets were to be chosen, and goes on', async () => {
  const tab = <TablesTab space={{ _id: 's1' } as KnowledgeSpace} />
  render(<RouterProvider router={createBrowserRouter([{ path: '/', element: <NuqsAdapter>{tab}</NuqsAdapter> }])} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Choose sheets' }))
  expect(await screen.findByRole('dialog', { name: 'This is no longer here' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'OK' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByText('Shop.xlsx')).toBeVisible()
})
