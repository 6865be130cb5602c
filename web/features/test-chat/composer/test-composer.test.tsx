// What goes out of the box of the test chat: words, files, and as whom.
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent } from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import { ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import type { Chat } from '../use-test-chat.ts'
import { TestComposer } from './test-composer.tsx'

type Upload = { path: string; onProgress: (share: number) => void; answer: PromiseWithResolvers<unknown> }
const uploads = vi.hoisted<Upload[]>(() => [])
vi.mock('#web/lib/server/post-file.ts', () => ({
  postFile: (path: string, _: Blob, { onProgress }: Pick<Upload, 'onProgress'>) => {
    const answer = Promise.withResolvers<unknown>()
    uploads.push({ path, onProgress, answer })
    return answer.promise
  },
}))

const toastError = vi.hoisted(() => vi.fn())
vi.mock('#web/lib/toast.ts', () => ({ toast: { error: toastError } }))

const send = vi.fn(async () => null)
const reply = vi.fn(async () => null)
const user = userEvent.setup()

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations', 'test-chat')
})
beforeEach(() => {
  uploads.length = 0
  send.mockClear()
  reply.mockClear()
  sessionStorage.clear()
  const chat = { variant: 'a', isAnswering: false, send, reply } as Partial<Chat> as Chat
  const agent = { _id: 'agent' } as Agent
  render(
    <TestComposer agent={agent} chats={[chat]} note={null}>
      <p>Chats</p>
    </TestComposer>,
  )
})

const file = (name: string) => new File(['content'], name)
const box = () => screen.getByRole('textbox', { name: 'Message' })
const sendButton = () => screen.getByRole('button', { name: 'Send' })
const attach = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Attach files', { selector: 'input' }), { target: { files } })
const uploaded = (index: number, ticket: string) => uploads[index]?.answer.resolve({ ticket })

describe('a file', () => {
  it('is shown on its way, holds the message until it is there, and goes without a text too', async () => {
    attach(file('price list.txt'))
    await user.type(box(), 'See this')
    expect(sendButton()).toBeDisabled()
    await waitFor(() => expect(uploads).toHaveLength(1))
    expect(uploads[0]?.path).toBe('/api/files/uploads?name=price+list.txt')
    uploads[0]?.onProgress(0.4)
    await waitFor(() => expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40'))
    uploaded(0, 't1')
    await waitFor(() => expect(sendButton()).toBeEnabled())
    await user.clear(box())
    await user.click(sendButton())
    expect(send).toHaveBeenCalledWith('', ['t1'])
    await waitFor(() => expect(screen.queryByText('price list.txt')).toBeNull())
  })

  it('stays with the text when the message was not taken', async () => {
    send.mockRejectedValueOnce(new AppError('upload_expired'))
    attach(file('a.txt'))
    await waitFor(() => expect(uploads).toHaveLength(1))
    uploaded(0, 't1')
    await waitFor(() => expect(sendButton()).toBeEnabled())
    await user.click(sendButton())
    expect(await screen.findByRole('alert')).toHaveTextContent('Attach it again')
    expect(screen.getByText('a.txt')).toBeInTheDocument()
  })

  it('can be left out, and one that was refused says why', async () => {
    attach(file('a.txt'), file('b.txt'))
    await waitFor(() => expect(uploads).toHaveLength(2))
    uploaded(0, 't1')
    uploads[1]?.answer.reject(new AppError('file_too_large'))
    expect(await screen.findByRole('alert')).toHaveTextContent('too large')
    expect(sendButton()).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Remove b.txt' }))
    await user.click(sendButton())
    expect(send).toHaveBeenCalledWith('', ['t1'])
  })

  it('is taken from the clipboard and dropped over the chats, up to as many as are read', async () => {
    fireEvent.paste(box(), { clipboardData: { files: [file('pasted.png')] } })
    const dropped = Array.from({ length: ATTACHMENTS_PER_ANSWER }, (_, at) => file(`${at}.txt`))
    fireEvent.drop(screen.getByText('Chats'), { dataTransfer: { types: ['Files'], files: dropped } })
    await waitFor(() => expect(uploads).toHaveLength(ATTACHMENTS_PER_ANSWER))
    expect(toastError).toHaveBeenCalledWith(`A message can have at most ${ATTACHMENTS_PER_ANSWER} files.`)
    expect(uploads[0]?.path).toContain('pasted.png')
  })
})

describe('one’s own voice', () => {
  const track = { stop: vi.fn() }
  const getUserMedia = vi.fn(async () => ({ getTracks: () => [track] }))
  class Recorder {
    mimeType = 'audio/webm;codecs=opus'
    ondataavailable: (event: { data: Blob }) => void = () => {}
    onstop: () => void = () => {}
    readonly stream: unknown
    constructor(stream: unknown) {
      this.stream = stream
    }
    start() {}
    stop() {
      this.ondataavailable({ data: new Blob(['sound']) })
      this.onstop()
    }
  }
  const record = () => user.click(screen.getByRole('button', { name: 'Record a voice message' }))

  beforeAll(() => {
    vi.stubGlobal('MediaRecorder', Recorder)
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true })
  })
  afterAll(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'mediaDevices')
  })

  it('is recorded until the second press, attached as such, and the microphone is given back', async () => {
    await record()
    await user.click(await screen.findByRole('button', { name: 'Stop recording and attach' }))
    await waitFor(() =>
      expect(uploads.map(({ path }) => path)).toEqual(['/api/files/uploads?name=voice.webm&isRecorded=true']),
    )
    expect(track.stop).toHaveBeenCalled()
  })

  it('is not without a microphone, and the toast says so', async () => {
    getUserMedia.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await record()
    await waitFor(() => expect(toastError).toHaveBeenCalledWith(expect.stringContaining('microphone')))
    expect(uploads).toEqual([])
  })
})

it('is written in as a person of the team: words alone, and the agent is not asked', async () => {
  attach(file('a.txt'))
  await user.click(screen.getByRole('button', { name: 'As operator' }))
  expect(screen.queryByText('a.txt')).toBeNull()
  await user.type(box(), 'I am Anna{Enter}')
  expect(reply).toHaveBeenCalledWith('I am Anna')
  expect(send).not.toHaveBeenCalled()
})
