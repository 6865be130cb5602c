// The panel of exports: whose exports it shows, their progress, and the toast when one has finished.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Export } from '#shared/messaging/exports.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ExportsPanel } from './exports-panel.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  exports: undefined as unknown,
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
  saved: vi.fn<(path: string) => Promise<void>>(),
  toast: vi.fn<(message: string) => void>(),
}))
fakeConvex(() => ({
  useQuery: () => server.exports,
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))
vi.mock('#web/lib/server/use-file.ts', () => ({ saveFile: server.saved }))
vi.mock('#web/lib/toast.ts', () => ({ toast: { success: server.toast, error: server.toast, failure: server.toast } }))

const running: Export = {
  _id: 'e1' as Id<'exports'>,
  name: 'conversations.csv',
  format: 'csv',
  status: 'running',
  done: 3,
  total: 12,
  sizeBytes: null,
  author: { _id: 'me' as Id<'users'>, name: 'Olga' },
  createdAt: 0,
  expiresAt: null,
}
const ready: Export = { ...running, status: 'ready', done: 12, sizeBytes: 2048, expiresAt: Date.UTC(2026, 10, 28) }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('exports')
})
beforeEach(() => {
  sessionStorage.clear()
  server.call.mockReset().mockResolvedValue({ url: '/api/files/exports/e1?ticket=t' })
  server.saved.mockReset().mockResolvedValue()
  server.toast.mockReset()
})

it('shows the progress and cancels', async () => {
  server.exports = [running]
  render(<ExportsPanel />)
  await userEvent.click(screen.getByRole('button', { name: '1 export' }))
  expect(screen.getByRole('progressbar', { name: 'conversations.csv: 3 of 12' })).toBeVisible()
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel conversations.csv' }))
  expect(server.call.mock.calls).toEqual([['conversations/exports:cancel', { exportId: 'e1' }]])
})

it('reports once that it is ready, and stays until it is hidden, also after a reload', async () => {
  server.exports = [running]
  const { rerender, unmount } = render(<ExportsPanel />)
  server.exports = [ready]
  rerender(<ExportsPanel />)
  expect(server.toast.mock.calls.map(([message]) => message)).toEqual(['conversations.csv is ready'])
  unmount()
  render(<ExportsPanel />)
  await userEvent.click(screen.getByRole('button', { name: '1 export' }))
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Download conversations.csv' }))
  expect(server.saved.mock.calls).toEqual([['/api/files/exports/e1?ticket=t']])
  await userEvent.click(screen.getByRole('button', { name: 'Hide conversations.csv' }))
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
  expect(server.toast).toHaveBeenCalledTimes(1)
})

it('is hidden for exports of colleagues, and for those that had finished before', () => {
  server.exports = [{ ...running, author: { _id: 'other', name: 'Pavel' } }, ready]
  render(<ExportsPanel />)
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})
