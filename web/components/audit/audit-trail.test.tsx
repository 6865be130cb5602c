// The trail as its readers see it: words for what was done, what has changed, filters in the address, and a file.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { AuditEntry } from '#shared/organizations/audit.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { AuditTrail } from './audit-trail.tsx'

const server = vi.hoisted(() => ({ entries: [] as unknown[], asked: [] as unknown[], saved: vi.fn() }))
vi.mock('#web/lib/browser/save-file.ts', () => ({ saveFile: server.saved }))
fakeConvex(() => ({
  useQuery: () => ({
    actors: [{ _id: 'olga', name: 'Olga', email: 'olga@example.com' }],
    actions: ['organizations/members:setRole', 'unknown:function'],
  }),
  usePaginatedQuery: (_query: unknown, args: unknown) => {
    server.asked.push(args)
    return { results: server.entries, status: 'Exhausted', loadMore: () => {} }
  },
  fetchOnce: async () => ({ name: 'parley-audit.csv', csv: 'a,b', isCut: true }),
}))

const ENTRY: AuditEntry = {
  _id: 'e1' as AuditEntry['_id'],
  at: Date.UTC(2026, 1, 3),
  actor: { _id: 'olga' as never, name: 'Olga', email: 'olga@example.com' },
  reason: 'asked by telephone',
  action: 'organizations/members:setRole',
  resource: { kind: 'member', id: 'pavel', name: 'Pavel' },
  before: { role: 'operator' },
  after: { role: 'admin' },
  address: '10.0.0.1',
  organization: { _id: 'o' as never, name: 'Tea shop' },
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('audit')
})
beforeEach(() => {
  server.entries = [ENTRY]
  server.asked = []
  server.saved.mockClear()
})

function show(isOfAll = false, search = ''): void {
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <AuditTrail isOfAll={isOfAll} />
    </NuqsTestingAdapter>,
  )
}

it('says who did what to whom, why, from where, and what has changed', async () => {
  show()
  const entry = screen.getByRole('listitem')
  expect(entry).toHaveTextContent(/Role changed · Pavel/)
  expect(entry).toHaveTextContent(/Olga \(olga@example.com\)from 10.0.0.1/)
  expect(entry).toHaveTextContent('Reason: asked by telephone')
  expect(within(entry).getByText('Role')).toBeVisible()
  expect(entry).toHaveTextContent(/operator.*admin/)
  expect(entry).not.toHaveTextContent('Tea shop')
  await expectAccessible()
})

it('names the organization where all are shown, and the program where no person acted', () => {
  server.entries = [
    ENTRY,
    { ...ENTRY, _id: 'e2', organization: { _id: 'gone', name: null }, actor: null },
    { ...ENTRY, _id: 'e3', organization: null, action: 'unknown:function', resource: null },
  ]
  show(true)
  const [first, second, third] = screen.getAllByRole('listitem')
  expect(first).toHaveTextContent('Tea shop')
  expect(second).toHaveTextContent(/The program.*an organization that is gone/)
  expect(third).toHaveTextContent(/unknown:function.*the installation/)
})

it('asks for what the address says, and for another time at a press', async () => {
  show(false, '?range=30d&actor=olga')
  expect(server.asked.at(-1)).toEqual({ range: '30d', actorId: 'olga' })
  await userEvent.click(screen.getByRole('button', { name: 'All time' }))
  expect(server.asked.at(-1)).toEqual({ range: 'all', actorId: 'olga' })
})

it('has words when there is nothing, and the way to everything', async () => {
  server.entries = []
  show(false, '?range=24h')
  expect(screen.getByRole('heading', { name: 'No entries' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Show all time' }))
  expect(server.asked.at(-1)).toEqual({ range: 'all' })
  await expectAccessible()
})

it('gives the entries as a file', async () => {
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Download the entries as CSV' }))
  expect(server.saved).toHaveBeenCalledWith('parley-audit.csv', 'a,b', 'text/csv')
})
