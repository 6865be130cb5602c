// Playing a spoken answer in the web chat, and the fallback where it cannot be played.
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { FileBubble } from './file-bubble.tsx'

const SPOKEN = { id: 'f1' as Id<'attachments'>, name: 'voice', isImage: false, isVoice: true }
afterEach(() => vi.unstubAllGlobals())

function show(type: string) {
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:spoken', revokeObjectURL: () => undefined })
  render(<FileBubble file={SPOKEN} loadFile={async () => new Blob(['x'], { type })} voice="Voice answer" />)
}

it('a spoken answer has a player with a name', async () => {
  show('audio/ogg')
  const player = await screen.findByLabelText('Voice answer')
  expect(player.tagName).toBe('AUDIO')
  expect(player).toHaveAttribute('controls')
  expect(player).toHaveAttribute('src', 'blob:spoken')
})

it('one that the browser cannot play, and what is no sound, is saved by a button', async () => {
  show('audio/ogg')
  fireEvent.error(await screen.findByLabelText('Voice answer'))
  expect(screen.getByRole('button', { name: /Voice answer/ })).toBeVisible()
})

it('what is no sound is not played', async () => {
  show('application/octet-stream')
  await Promise.resolve()
  expect(screen.getByRole('button', { name: /Voice answer/ })).toBeVisible()
  expect(document.querySelector('audio')).toBeNull()
})
