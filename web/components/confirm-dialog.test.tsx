// The question before something is done that takes a moment.
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

beforeAll(() => startI18n('en'))

it('stays busy until the work is done, then closes', async () => {
  const work = Promise.withResolvers<void>()
  const onClose = vi.fn()
  render(
    <ConfirmDialog
      title="Delete?"
      description="For good."
      confirmLabel="Delete"
      onConfirm={() => work.promise}
      onClose={onClose}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  expect(onClose).not.toHaveBeenCalled()
  work.resolve()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

it('stays when the work fails, and can be confirmed again', async () => {
  const onConfirm = vi.fn(() => Promise.reject(new Error('offline')))
  const onClose = vi.fn()
  render(
    <ConfirmDialog
      title="Delete?"
      description="For good."
      confirmLabel="Delete"
      onConfirm={onConfirm}
      onClose={onClose}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledTimes(2)
  expect(onClose).not.toHaveBeenCalled()
})
