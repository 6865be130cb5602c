// Editing the list of further wordings by keyboard and by paste.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { WordingsField } from './wordings-field.tsx'

beforeAll(() => startI18n('en'))

async function setUp(initial: string[] = []) {
  const onChange = vi.fn<(wordings: string[]) => void>()
  render(<WordingsField initial={initial} onChange={onChange} />)
  await screen.findByRole('group')
  return { user: userEvent.setup(), last: () => onChange.mock.lastCall?.[0] }
}
const fields = () => screen.getAllByRole<HTMLInputElement>('textbox').map((field) => field.value)

it('adds wordings one after the other with Enter, and leaves empty ones and repetitions out', async () => {
  const { user, last } = await setUp()
  await user.click(screen.getByRole('button'))
  await user.click(screen.getByRole('textbox'))
  await user.keyboard('How long?{Enter}')
  await expect.poll(() => screen.getAllByRole('textbox')[1]).toHaveFocus()
  await user.keyboard('When?{Enter}')
  expect(fields()).toEqual(['How long?', 'When?', ''])
  expect(last()).toEqual(['How long?', 'When?'])
})

it('removes an empty wording with Backspace, and any by its button', async () => {
  const { user, last } = await setUp(['a', 'b', 'c'])
  await user.clear(screen.getAllByRole('textbox')[2] as HTMLElement)
  await user.keyboard('{Backspace}')
  expect(fields()).toEqual(['a', 'b'])
  await user.click(screen.getAllByRole('button')[0] as HTMLElement)
  expect(last()).toEqual(['b'])
})

it('makes a wording of each pasted line', async () => {
  const { user, last } = await setUp(['a'])
  await user.click(screen.getByRole('textbox'))
  await user.paste('one\n\ntwo\r\none')
  expect(fields()).toEqual(['a', 'one', 'two'])
  expect(last()).toEqual(['a', 'one', 'two'])
})
