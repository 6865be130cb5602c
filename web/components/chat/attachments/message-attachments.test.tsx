// How a conversation shows a picture, a recording or a file.
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/messaging/attachments.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { allowMissingTexts } from '#tests/missing-texts.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessageAttachments } from './message-attachments.tsx'

fakeConvex(() => ({ accessToken: async () => 'the token' }))

const FILE = '/api/files/attachments/1'
const fetched = vi.fn<typeof fetch>()

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  fetched.mockReset()
  fetched.mockImplementation(async () => new Response('bytes'))
  vi.stubGlobal('fetch', fetched)
  URL.createObjectURL = () => 'blob:of-this-page'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => vi.unstubAllGlobals())

function show(change: Partial<Attachment>) {
  const attachment: Attachment = {
    _id: '1' as Attachment['_id'],
    kind: 'voice',
    name: null,
    mimeType: 'audio/ogg',
    sizeBytes: 2048,
    durationSeconds: 5,
    status: 'ready',
    text: 'Do you have it in red?',
    reason: null,
    url: FILE,
    ...change,
  }
  render(<MessageAttachments attachments={[attachment]} />)
}

it('shows the transcript of a recording, and loads the recording on play', async () => {
  show({})
  expect(screen.getByText('Do you have it in red?')).toBeVisible()
  expect(fetched).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(document.querySelector('audio')).toHaveAttribute('src', 'blob:of-this-page'))
  expect(fetched).toHaveBeenCalledWith(FILE, { headers: { authorization: 'Bearer the token' } })
})

it('shows a picture at once', async () => {
  show({ kind: 'image', text: 'a red dress' })
  expect(await screen.findByRole('img')).toHaveAttribute('src', 'blob:of-this-page')
})

it('explains why nothing was read, and that a file is no longer available', async () => {
  fetched.mockImplementation(async () => new Response('{}', { status: 502 }))
  show({ kind: 'image', status: 'failed', text: null, reason: 'not_configured' })
  expect(screen.getByText(/no key for the provider/)).toBeVisible()
  expect(await screen.findByText(/no longer provides this file/)).toBeVisible()
})

it.each([
  ['other', 'successful_payment', 'Payment'],
  ['other', 'pollMessage', 'Poll'],
  ['image', 'ig_story', 'Story'],
  ['other', 'hologramMessage', 'Other attachment (hologramMessage)'],
  ['other', 'Cup, 500 ₽', 'Cup, 500 ₽'],
  ['document', 'prices.pdf', 'prices.pdf'],
] as const)('names %s %s in words', (kind, name, title) => {
  show({ kind, name, url: null, text: null })
  expect(screen.getByText(title)).toBeVisible()
})

it('offers no download when there is no file', () => {
  show({ kind: 'sticker', url: null, text: '😀' })
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText('😀')).toBeVisible()
})

it('shows a kind that only a newer server knows by its name, or as an unknown kind', () => {
  allowMissingTexts()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  show({ kind: 'hologram' as never, name: 'a.holo', text: null, status: 'failed', reason: 'too_bright' as never })
  expect(screen.getByText('a.holo')).toBeVisible()
  show({ kind: 'hologram' as never, name: null, url: null })
  expect(screen.getAllByText('No description')).toHaveLength(2)
  expect(screen.queryByText(/hologram|too_bright/)).toBeNull()
  vi.restoreAllMocks()
})
