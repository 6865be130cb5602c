// The typed name before something is lost for good.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { TypedNameDialog } from './typed-name-dialog.tsx'

beforeAll(() => startI18n('en'))

function open(onConfirm: () => Promise<void>) {
  const onOpenChange = vi.fn()
  render(
    <TypedNameDialog
      isOpen
      onOpenChange={onOpenChange}
      name="Shop"
      title="Delete Shop?"
      description="This cannot be undone."
      losses={['12 documents', '3 agents']}
      label="Type Shop"
      confirmLabel="Delete"
      onConfirm={onConfirm}
    />,
  )
  return { user: userEvent.setup(), onOpenChange }
}

it('names what is lost and confirms only for the right name, by Enter too', async () => {
  const onConfirm = vi.fn(() => Promise.resolve())
  const { user, onOpenChange } = open(onConfirm)
  expect(screen.getByText('12 documents')).toBeInTheDocument()
  await user.type(screen.getByLabelText('Type Shop'), 'shop{Enter}')
  expect(screen.getByRole('button', { name: 'Delete' })).toBeDisabled()
  expect(onConfirm).not.toHaveBeenCalled()
  await user.clear(screen.getByLabelText('Type Shop'))
  await user.type(screen.getByLabelText('Type Shop'), ' Shop {Enter}')
  expect(onConfirm).toHaveBeenCalledTimes(1)
  expect(onOpenChange).toHaveBeenLastCalledWith(false)
})

it('stays open when the deletion fails', async () => {
  const { user, onOpenChange } = open(() => Promise.reject(new Error('no')))
  await user.type(screen.getByLabelText('Type Shop'), 'Shop')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onOpenChange).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Delete' })).toBeEnabled()
})
