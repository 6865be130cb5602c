// The brand of the installation: what cannot be saved says why in both languages, the preview follows, pictures are taken at once.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { EMPTY_BRAND } from '#shared/organizations/branding.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { AdminBrandingPage } from './branding-page.tsx'

const server = vi.hoisted(() => ({ own: null as unknown, call: vi.fn(), post: vi.fn() }))
fakeConvex(() => ({ useQuery: () => server.own, useMutation: () => server.call }))
vi.mock('#web/lib/server/post-file.ts', () => ({ postFile: server.post }))

beforeAll(() => startI18n('en'))
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  await loadTexts('admin', 'branding')
  server.own = { ...EMPTY_BRAND, footer: 'none' }
  server.call.mockReset().mockResolvedValue(null)
  server.post.mockReset().mockResolvedValue({ path: '/files/brands/x.png' })
})

async function show(language: 'en' | 'ru' = 'en') {
  await setLanguage(language)
  const router = createMemoryRouter([{ path: '/', element: <AdminBrandingPage /> }])
  render(<RouterProvider router={router} />)
}

it.each([
  ['en', 'Light theme', /too light: its contrast with the background is 1.36:1, and at least 4.5:1/],
  ['ru', 'Светлая тема', /слишком светлый: контраст с фоном 1,36:1, а нужно не меньше 4,5:1/],
] as const)('names the ratio of a colour that cannot be read, in %s', async (language, label, words) => {
  await show(language)
  const field = screen.getByRole('textbox', { name: label })
  await userEvent.type(field, '#ffd400')
  expect(field).toHaveAccessibleDescription(words)
  expect(screen.getByRole('button', { name: /^(Save|Сохранить)$/ })).toBeDisabled()
  await expectAccessible()
})

it.each([
  ['Dark theme', '#2a1a1a', /too dark: its contrast/],
  ['Dark theme', 'blue', /This is not a colour/],
  ['Sender address', 'nobody', /This is not an email address/],
  ['Address for replies', 'a@b', /This is not an email address/],
] as const)('says what is wrong with %s %s', async (label, typed, words) => {
  await show()
  const field = screen.getByRole('textbox', { name: label })
  await userEvent.type(field, typed)
  expect(field).toHaveAccessibleDescription(words)
})

it('asks for the text of a footer, and for a link of the web', async () => {
  await show()
  await userEvent.click(screen.getByRole('radio', { name: /footer of our own/ }))
  const text = screen.getByRole('textbox', { name: 'Footer text' })
  expect(text).toHaveAccessibleDescription(/The footer has no text/)
  await userEvent.type(text, 'By Acme')
  const link = screen.getByRole('textbox', { name: 'Link' })
  await userEvent.type(link, 'javascript:alert(1)')
  expect(link).toHaveAccessibleDescription(/does not lead to a page of the web/)
  await expectAccessible()
})

it('shows both themes as they will be, and saves', async () => {
  await show()
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Acme')
  await userEvent.type(screen.getByRole('textbox', { name: 'Light theme' }), '#8a1c4a')
  const light = screen.getByTestId('brand-light')
  expect(within(light).getByText('Acme')).toBeVisible()
  expect(light.style.getPropertyValue('--primary')).toBe('#8a1c4a')
  expect(screen.getByTestId('brand-dark').style.getPropertyValue('--primary')).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(server.call).toHaveBeenCalledWith(expect.objectContaining({ name: 'Acme', accentLight: '#8a1c4a' }))
  expect(server.call.mock.calls[0]?.[0]).not.toHaveProperty('icon')
})

it('takes a picture at once, and says why one was refused', async () => {
  await show()
  const file = new File(['x'], 'logo.svg', { type: 'image/png' })
  await userEvent.upload(screen.getByTestId('brand-logoLight'), file)
  expect(server.post).toHaveBeenCalledWith('/api/files/brands/installation/logoLight', file, expect.anything())
  server.post.mockRejectedValue(new Refusal('picture_not_readable'))
  await userEvent.upload(screen.getByTestId('brand-logoDark'), file)
  expect(await screen.findByText(/picture cannot be read|not a picture|Choose/i)).toBeVisible()
})
