// A number that is typed.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, it } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { NumberInput } from './number-input.tsx'

beforeAll(() => startI18n('en'))

let number: number | null
function Form({ start }: { start: number | null }) {
  const [value, setValue] = useState(start)
  number = value
  return (
    <>
      <NumberInput aria-label="Limit" value={value} onValueChange={setValue} unit="answers" />
      <button type="button" onClick={() => setValue(7)}>
        Set
      </button>
    </>
  )
}

function open(start: number | null = null) {
  render(<Form start={start} />)
  return { user: userEvent.setup(), input: screen.getByRole('textbox', { name: 'Limit' }) }
}

it('keeps what is typed while it is typed, and formats it when the field is left', async () => {
  const { user, input } = open()
  await user.type(input, '12 000')
  expect(number).toBe(12_000)
  expect(input).toHaveValue('12 000')
  await user.tab()
  expect(input).toHaveValue('12,000')
})

it('is null when emptied, and not a number while it cannot be read; what was typed stays to be mended', async () => {
  const { user, input } = open(50)
  await user.clear(input)
  expect(number).toBeNull()
  await user.type(input, 'many')
  expect(number).toBeNaN()
  await user.tab()
  expect(input).toHaveValue('many')
})

it('shows a value that comes from outside', async () => {
  const { user, input } = open(50)
  await user.type(input, '0')
  await user.click(screen.getByRole('button', { name: 'Set' }))
  expect(input).toHaveValue('7')
})

it('is read with its unit', () => {
  expect(open(1).input).toHaveAccessibleDescription('answers')
})
