// Pictures of a log opened large: what shows, the way from one to the next, saving, and where the focus is afterwards.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/messaging/attachments.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessageAttachments } from './message-attachments.tsx'
import { PictureViewer } from './picture-viewer.tsx'

fakeConvex(() => ({ accessToken: async () => 'the token' }))

const user = userEvent.setup()
let addresses: string[]

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  vi.stubGlobal('fetch', async (path: string) => new Response(path))
  addresses = []
  URL.createObjectURL = () => {
    const address = `blob:${addresses.length}`
    addresses.push(address)
    return address
  }
  URL.revokeObjectURL = () => undefined
})
afterEach(() => vi.unstubAllGlobals())

function attachment(name: string, change: Partial<Attachment> = {}): Attachment {
  const read = { sizeBytes: 1, durationSeconds: null, status: 'ready', text: null, reason: null } as const
  const _id = name as Attachment['_id']
  return { _id, kind: 'image', name, mimeType: 'image/png', ...read, url: `/api/files/attachments/${name}`, ...change }
}

function log(...messages: Attachment[][]) {
  return (
    <PictureViewer messages={messages.map((attachments) => ({ attachments }) as Message)}>
      {messages.map((attachments) => (
        <MessageAttachments key={attachments[0]?._id} attachments={attachments} />
      ))}
    </PictureViewer>
  )
}
const FIRST = [attachment('a.png'), attachment('notes.pdf', { kind: 'document' })]
const SECOND = [attachment('gone.png', { url: null }), attachment('b.png')]
const thumbnail = (name: string) => screen.findByRole('button', { name })
const viewer = () => screen.getByRole('dialog')
const large = () => within(viewer()).findByRole('img')

it('opens the picture that was pressed, and Escape gives the focus back to it', async () => {
  render(log(FIRST, SECOND))
  await user.click(await thumbnail('b.png'))
  expect(viewer()).toHaveAccessibleName('b.png')
  expect(within(viewer()).getByRole('status')).toHaveTextContent('2 of 2')
  expect(await large()).toHaveAttribute('src', 'blob:2')
  await expectAccessible()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await thumbnail('b.png')).toHaveFocus()
})

it('leads through the pictures of all messages by arrows and buttons, and stays at the ends', async () => {
  render(log(FIRST, SECOND))
  await user.click(await thumbnail('a.png'))
  await user.keyboard('{ArrowLeft}')
  expect(viewer()).toHaveAccessibleName('a.png')
  await user.keyboard('{ArrowRight}')
  expect(viewer()).toHaveAccessibleName('b.png')
  await user.keyboard('{ArrowRight}{ArrowLeft}')
  expect(viewer()).toHaveAccessibleName('a.png')
  const next = within(viewer()).getByRole('button', { name: 'Next picture' })
  next.focus()
  await user.keyboard('{Enter}')
  expect(viewer()).toHaveAccessibleName('b.png')
  expect(next).toHaveFocus()
  expect(next).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('{ArrowLeft}')
  expect(viewer()).toHaveAccessibleName('a.png')
})

it('saves the picture under its name', async () => {
  render(log([attachment('a.png')]))
  await user.click(await thumbnail('a.png'))
  const save = await within(viewer()).findByRole('link', { name: 'Save' })
  expect(save).toHaveAttribute('download', 'a.png')
  expect(save).toHaveAttribute('href', (await large()).getAttribute('src'))
})

it('closes when the picture is removed, and says so when it cannot be loaded', async () => {
  const { rerender } = render(log(FIRST, SECOND))
  await user.click(await thumbnail('b.png'))
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 502 }))
  await user.keyboard('{ArrowLeft}')
  expect(await within(viewer()).findByText(/no longer provides this file/)).toBeVisible()
  rerender(log(SECOND))
  expect(screen.queryByRole('dialog')).toBeNull()
})
