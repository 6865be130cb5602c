// The queue of calls that wait for the team: what is shown of each, deciding it, and what is left to do where none waits.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { ToolApproval } from '#shared/tools/approvals.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ApprovalNotes } from './approval-notes.tsx'
import { ApprovalsBar } from './approvals-bar.tsx'
import { ApprovalsPage } from './approvals-page.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  approvals: [] as unknown[],
  role: 'operator',
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: () => server.approvals,
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'Olga', organizationRole: server.role }),
}))

const approval = (change: Partial<ToolApproval> = {}): ToolApproval => ({
  ...{ _id: 'a1' as Id<'toolApprovals'>, conversationId: 'c1' as Id<'conversations'>, customerName: 'Anna' },
  ...{ agentName: 'Seller', by: 'operator', status: 'waiting', tool: 'cancel_order', title: 'Cancel an order' },
  ...{ arguments: { number: 'A-1' }, askedAt: Date.now(), expiresAt: Date.now() + 3_600_000 },
  ...{ decidedAt: null, decidedBy: null, failure: null, result: null, ...change },
})
const show = (element: React.ReactElement) => render(<MemoryRouter>{element}</MemoryRouter>)

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations', 'why')
})
beforeEach(() => {
  server.role = 'operator'
  server.call.mockReset().mockResolvedValue(null)
})

it('shows what would be done, and decides it', async () => {
  server.approvals = [approval()]
  show(<ApprovalsPage />)
  const card = within(screen.getByRole('article', { name: 'Cancel an order' }))
  expect(card.getByText('A-1')).toBeVisible()
  expect(card.getByRole('link', { name: 'Conversation' })).toHaveAttribute('href', '/conversations/c1')
  await userEvent.click(card.getByRole('button', { name: 'Approve' }))
  expect(server.call).toHaveBeenCalledWith('conversations/approvals:approve', { approvalId: 'a1' })
  await userEvent.click(card.getByRole('button', { name: 'Decline' }))
  expect(server.call).toHaveBeenCalledWith('conversations/approvals:decline', { approvalId: 'a1' })
})

it('offers no decision to who may not write to customers', () => {
  server.role = 'analyst'
  server.approvals = [approval()]
  show(<ApprovalsPage />)
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

it('says what has become of those that are decided, and where to look when it is not known', () => {
  server.approvals = [approval({ status: 'uncertain', failure: 'timeout', decidedBy: 'Olga', decidedAt: Date.now() })]
  show(<ApprovalsPage />)
  expect(screen.getByText('Nothing waits for approval.')).toBeVisible()
  expect(screen.getByText(/check in your system/)).toBeVisible()
  expect(screen.getByText('The service did not answer in time.')).toBeVisible()
})

it('counts those that wait above the inbox, and is nothing without', () => {
  server.approvals = [approval(), approval({ _id: 'a2' as Id<'toolApprovals'>, status: 'done' })]
  const { unmount } = show(<ApprovalsBar />)
  expect(screen.getByRole('link', { name: '1 action waits for approval' })).toHaveAttribute('href', '/chats/approvals')
  unmount()
  server.approvals = []
  expect(show(<ApprovalsBar />).container).toBeEmptyDOMElement()
})

it('stands in its conversation while it is open, and leaves what the customer decides to them', () => {
  server.approvals = [approval({ by: 'customer' }), approval({ _id: 'a2' as Id<'toolApprovals'>, status: 'done' })]
  show(<ApprovalNotes conversation={{ _id: 'c1' } as never} />)
  expect(screen.getAllByRole('article')).toHaveLength(1)
  expect(screen.getByText('The customer was asked to confirm')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})
