// Sending from the box: keys, failures, double presses.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { Composer } from './composer.tsx'
import type { Suggest } from './use-suggestions.ts'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})

function Box(props: { onSend: (text: string) => Promise<void>; onStop?: () => void; suggest?: Suggest }) {
  const [draft, setDraft] = useState('')
  return (
    <Composer
      label="Message"
      placeholder=""
      sendLabel="Send"
      stopLabel="Stop"
      draft={draft}
      onDraftChange={setDraft}
      {...props}
    />
  )
}

const box = () => screen.getByRole('textbox', { name: 'Message' })

describe('what the box offers', () => {
  const suggest: Suggest = (before) => {
    if (!before.endsWith('/')) return null
    const items = ['One', 'Two'].map((label) => ({ key: label, label, text: label.toLowerCase() }))
    return { label: 'Replies', from: before.length - 1, items }
  }

  it('is chosen by arrows and put in by Enter, which sends nothing', async () => {
    const onSend = vi.fn(() => Promise.resolve())
    render(<Box onSend={onSend} suggest={suggest} />)
    const user = userEvent.setup()
    await user.type(box(), 'so /')
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['One', 'Two'])
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Two')
    expect(box()).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id)
    await user.keyboard('{Enter}')
    expect(box()).toHaveValue('so two')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(onSend).not.toHaveBeenCalled()
    await user.keyboard('{Enter}')
    expect(onSend).toHaveBeenCalledWith('so two')
  })

  it('goes away by Escape, and a press of the mouse puts in as well', async () => {
    render(<Box onSend={() => Promise.resolve()} suggest={suggest} />)
    const user = userEvent.setup()
    await user.type(box(), '/{Escape}')
    expect(screen.queryByRole('listbox')).toBeNull()
    await user.type(box(), ' /')
    await user.click(screen.getByRole('option', { name: 'One' }))
    expect(box()).toHaveValue('/ one')
  })
})

describe('the box of a chat', () => {
  it('sends by Enter, starts a line by Shift+Enter, and is empty afterwards', async () => {
    const onSend = vi.fn(() => Promise.resolve())
    render(<Box onSend={onSend} />)
    const user = userEvent.setup()
    await user.type(box(), 'one{Shift>}{Enter}{/Shift}two{Enter}')
    expect(onSend).toHaveBeenCalledWith('one\ntwo')
    expect(box()).toHaveValue('')
  })

  it('shows Stop in place of Send while an answer is being written', async () => {
    const onStop = vi.fn()
    render(<Box onSend={() => Promise.resolve()} onStop={onStop} />)
    expect(screen.queryByRole('button', { name: 'Send' })).not.toBeInTheDocument()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Stop' }))
    expect(onStop).toHaveBeenCalledTimes(1)
  })
})

describe('what is sent', () => {
  it('sends nothing but text', async () => {
    const onSend = vi.fn(() => Promise.resolve())
    render(<Box onSend={onSend} />)
    await userEvent.setup().type(box(), '  {Control>}{Enter}{/Control}')
    expect(onSend).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  })

  it('gives the text back when it was not sent, and says why', async () => {
    render(<Box onSend={() => Promise.reject(new AppError('connection_disconnected'))} />)
    const user = userEvent.setup()
    await user.type(box(), 'hello{Control>}{Enter}{/Control}')
    expect(box()).toHaveValue('hello')
    expect(screen.getByRole('alert')).toHaveTextContent(/disconnected/)
  })

  it('sends once however often the keys are pressed', async () => {
    const sent = Promise.withResolvers<void>()
    const onSend = vi.fn(() => sent.promise)
    render(<Box onSend={onSend} />)
    const user = userEvent.setup()
    await user.type(box(), 'one{Control>}{Enter}{/Control}')
    await user.type(box(), 'two{Control>}{Enter}{Enter}{/Control}')
    expect(onSend).toHaveBeenCalledTimes(1)
    expect(box()).toHaveValue('two')
    sent.resolve()
  })
})
