// Tags and days of a source: what is chosen is what is saved, and a time that ends before it begins is not.
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { fromDays } from './marks.rules.ts'
import { MarksDialog } from './marks-dialog.tsx'

const update = vi.hoisted(() => vi.fn<(args: unknown) => Promise<unknown>>())
fakeConvex(() => ({ useMutation: () => update }))

const source = {
  ...{ _id: 'd1', name: 'Prices.pdf', tags: ['retail'], validFrom: null, validUntil: null },
  ...{ language: 'en' as const, chosenLanguage: null },
}
const close = vi.fn()

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
})
beforeEach(() => {
  close.mockReset()
  update.mockReset().mockResolvedValue(null)
  render(<MarksDialog source={source} onClose={close} />)
})

const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

it('saves tags and days, and closes', async () => {
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Tags'), 'wholesale{Enter}')
  choose('Valid until', '2026-12-31')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const days = fromDays({ first: '', last: '2026-12-31' })
  expect(update).toHaveBeenCalledWith({
    sourceId: 'd1',
    patch: { tags: ['retail', 'wholesale'], ...days, chosenLanguage: null },
  })
  expect(close).toHaveBeenCalled()
})

it('says in which language the text is, until another is chosen', async () => {
  const user = userEvent.setup()
  const select = screen.getByRole('combobox', { name: 'Language' })
  expect(select.textContent).toBe('Detected: English')
  await user.click(select)
  await user.click(screen.getByRole('option', { name: 'Russian' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(update).toHaveBeenCalledWith({ sourceId: 'd1', patch: expect.objectContaining({ chosenLanguage: 'ru' }) })
})

it('says that the last day lies before the first one', async () => {
  choose('Valid from', '2026-12-31')
  choose('Valid until', '2026-01-01')
  expect(screen.getByText('The last day is before the first one.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})
