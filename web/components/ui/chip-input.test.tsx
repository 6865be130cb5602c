// A list of phrases typed, pasted and removed.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { addChips } from './chip-input.rules.ts'
import { ChipInput } from './chip-input.tsx'

beforeAll(() => startI18n('en'))

let chips: string[]
function Form({ start }: { start: string[] }) {
  const [value, setValue] = useState(start)
  chips = value
  return <ChipInput aria-label="Phrases" value={value} onValueChange={setValue} max={4} />
}

function open(start: string[] = []) {
  const onSubmit = vi.fn((event: React.FormEvent) => event.preventDefault())
  render(
    <form onSubmit={onSubmit}>
      <Form start={start} />
    </form>,
  )
  return { user: userEvent.setup(), input: screen.getByRole('textbox', { name: 'Phrases' }), onSubmit }
}

describe('a list of phrases', () => {
  it('takes a phrase by Enter, by comma and on leaving, and sends no form', async () => {
    const { user, input, onSubmit } = open()
    await user.type(input, 'stop{Enter}call me,human')
    expect(chips).toEqual(['stop', 'call me'])
    await user.tab()
    expect(chips).toEqual(['stop', 'call me', 'human'])
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('takes a pasted list apart', async () => {
    const { user, input } = open(['stop'])
    await user.click(input)
    await user.paste('help; operator\nSTOP')
    expect(chips).toEqual(['stop', 'help', 'operator'])
  })

  it('removes a phrase by its button, and the last one by Backspace in the empty field', async () => {
    const { user, input } = open(['stop', 'help', 'human'])
    await user.click(screen.getByRole('button', { name: 'Remove “help”' }))
    expect(chips).toEqual(['stop', 'human'])
    expect(input).toHaveFocus()
    await user.keyboard('a{Backspace}{Backspace}')
    expect(chips).toEqual(['stop'])
  })
})

it('holds no phrase twice and no more than it may', () => {
  expect(addChips(['stop'], ' STOP , two  words,,', 4)).toEqual(['stop', 'two words'])
  expect(addChips(['a', 'b'], 'c,d,e', 4)).toEqual(['a', 'b', 'c', 'd'])
})
