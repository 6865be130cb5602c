// Where the focus goes when a modal opens and closes.
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { AlertDialog } from './alert-dialog.tsx'
import { Dialog, DialogContent } from './dialog.tsx'

beforeAll(() => startI18n('en'))

function Page({ isAlert }: { isAlert: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <input aria-label="elsewhere" onKeyDown={(event) => event.key === 'F2' && setOpen(true)} />
      <input aria-label="reply" />
      {isAlert ? (
        <AlertDialog
          isOpen={isOpen}
          onOpenChange={setOpen}
          title="Delete?"
          description="It is lost."
          confirmLabel="Delete"
          onConfirm={() => setOpen(false)}
        />
      ) : (
        <Dialog open={isOpen} onOpenChange={setOpen}>
          <DialogContent title="Settings">text</DialogContent>
        </Dialog>
      )}
    </>
  )
}

describe.each([
  ['a dialog', false],
  ['a confirmation', true],
])('%s without a trigger', (_name, isAlert) => {
  it('gives the focus back to where it was', async () => {
    render(<Page isAlert={isAlert} />)
    const input = screen.getByLabelText('elsewhere')
    await userEvent.type(input, '{F2}')
    const modal = await screen.findByRole(isAlert ? 'alertdialog' : 'dialog')
    expect(modal).toContainElement(document.activeElement as HTMLElement)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(input).toHaveFocus())
  })

  it('does not steal the focus from a field that has taken it before the modal is gone', async () => {
    render(<Page isAlert={isAlert} />)
    await userEvent.type(screen.getByLabelText('elsewhere'), '{F2}')
    fireEvent.keyDown(await screen.findByRole(isAlert ? 'alertdialog' : 'dialog'), { key: 'Escape' })
    const reply = screen.getByLabelText('reply')
    reply.focus()
    await new Promise((resolve) => setTimeout(resolve)) // after the timer with which the modal returns the focus
    expect(reply).toHaveFocus()
  })
})

describe('a confirmation', () => {
  it('puts the focus on the safe answer', async () => {
    render(<Page isAlert />)
    await userEvent.type(screen.getByLabelText('elsewhere'), '{F2}')
    expect(await screen.findByRole('button', { name: 'Cancel' })).toHaveFocus()
  })
})
