// Taking a file as a picture: it is sent at once, and a refusal says why and changes nothing.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { AVATAR_MAX_BYTES } from '#shared/limits.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { PictureField } from './picture-field.tsx'

const posted = vi.hoisted(() => vi.fn<(path: string, file: Blob) => Promise<unknown>>())
vi.mock('#web/lib/server/post-file.ts', () => ({ postFile: posted }))

const KEPT = `/files/avatars/${'0'.repeat(32)}.webp`
const onChange = vi.fn()
const onTaken = vi.fn()

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  posted.mockReset().mockResolvedValue({ path: KEPT })
  onChange.mockReset()
  onTaken.mockReset()
})

const draw = (value = '') =>
  render(<PictureField of="person" name="Anna" label="Picture" error={undefined} {...{ value, onChange, onTaken }} />)
const choose = (file: File) =>
  userEvent.setup({ applyAccept: false }).upload(screen.getByTestId('picture-of-person'), file)

it('sends a file at once, and reports where it is kept', async () => {
  draw()
  const file = new File(['x'], 'me.png', { type: 'image/png' })
  await choose(file)
  expect(posted.mock.calls[0]?.slice(0, 2)).toEqual(['/api/files/pictures/person', file])
  expect(onTaken).toHaveBeenCalledExactlyOnceWith(KEPT)
  await expectAccessible()
})

it('says why a file was refused, and reports nothing', async () => {
  posted.mockRejectedValue(new AppError('picture_not_readable'))
  draw()
  await choose(new File(['<svg/>'], 'me.svg', { type: 'image/svg+xml' }))
  expect(screen.getByLabelText(/^Address on the web/)).toHaveAccessibleDescription(/not a picture/)
  expect(onTaken).not.toHaveBeenCalled()
})

it('refuses what is too large before it is sent', async () => {
  draw()
  await choose(new File([new Uint8Array(AVATAR_MAX_BYTES + 1)], 'me.png', { type: 'image/png' }))
  expect(screen.getByLabelText(/^Address on the web/)).toHaveAccessibleDescription(/too large/)
  expect(posted).not.toHaveBeenCalled()
})

it('shows the path of no file, takes an address, and removes either', async () => {
  const { rerender } = draw(KEPT)
  expect(screen.getByLabelText(/^Address on the web/)).toHaveValue('')
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(onChange).toHaveBeenLastCalledWith('')
  rerender(
    <PictureField of="person" name="Anna" label="Picture" error={undefined} value="" {...{ onChange, onTaken }} />,
  )
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  await userEvent.type(screen.getByLabelText(/^Address on the web/), 'h')
  expect(onChange).toHaveBeenLastCalledWith('h')
})
