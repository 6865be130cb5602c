// Typed text is not lost: when it was not sent, it returns to its conversation, whatever is open by then.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter, useLocation } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { forgetDrafts } from '#web/lib/browser/draft.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { WritingBox } from './reply-box.tsx'
import { UnsentWatcher } from './unsent-watcher.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  answer: vi.fn<(name: string) => Promise<unknown>>(),
  known: vi.fn<(name: string) => Promise<unknown>>(),
}))
fakeConvex(() => {
  const caller = (reference: Reference) => () => server.answer(getFunctionName(reference))
  return {
    useQuery: () => [],
    useMutation: caller,
    useAction: caller,
    fetchOnce: (reference: Reference) => server.known(getFunctionName(reference)),
  }
})
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const of = (name: string, more: Partial<Conversation> = {}) =>
  ({
    _id: name,
    channel: 'telegram',
    status: 'active',
    agentName: 'Robo',
    customer: { _id: name, contactId: name, name, username: null },
    lastMessage: { author: 'customer', text: 'Hello?', at: 1000 },
    thread: null,
    ...more,
  }) as Conversation
const anna = of('Anna')
const boris = of('Boris')

const toastError = vi.spyOn(toast, 'error').mockImplementation(() => '')
const user = userEvent.setup()
const box = () => screen.getByRole('textbox', { name: /^(Your reply|Note for the team)$/ })

function Address() {
  return <output>{useLocation().pathname}</output>
}
/** Opens a conversation on its own page, which closes the one before. */
function open(conversation: Conversation) {
  cleanup()
  render(
    <MemoryRouter>
      <Address />
      <TooltipProvider>
        <WritingBox key={conversation._id} conversation={conversation} onOpenSource={() => undefined}>
          <p>Log</p>
        </WritingBox>
      </TooltipProvider>
    </MemoryRouter>,
  )
}
/** A reply or note whose response has not arrived. */
function underWay() {
  const answer = Promise.withResolvers<unknown>()
  server.answer.mockReturnValue(answer.promise)
  return answer
}
async function reload() {
  cleanup()
  await act(async () => {
    render(
      <MemoryRouter>
        <Address />
        <UnsentWatcher />
      </MemoryRouter>,
    )
  })
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  toastError.mockClear()
  server.answer.mockReset().mockResolvedValue(null)
  server.known.mockReset().mockResolvedValue({ page: [] })
  dropLocks()
})

/** The Web Locks of browsers: a request waits for the current holder. */
class Locks {
  readonly #last = new Map<string, Promise<unknown>>()
  request(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const next = (this.#last.get(name) ?? Promise.resolve()).then(run)
    this.#last.set(
      name,
      next.catch(() => undefined),
    )
    return next
  }
}

function dropLocks() {
  Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true })
}

it('a reply that fails while another conversation is open becomes the draft of its own again, and a toast links there', async () => {
  const answer = underWay()
  open(anna)
  await user.type(box(), 'We open at nine{Enter}')
  expect(box()).toHaveValue('')
  open(boris)
  await user.type(box(), 'Something else')
  answer.reject(new AppError('connection_disconnected'))
  await waitFor(() => expect(toastError).toHaveBeenCalledTimes(1))
  expect(box()).toHaveValue('Something else')
  const [words, options] = toastError.mock.calls[0] ?? []
  expect(words).toBe('Your reply to Anna was not sent')
  expect(options?.description).toMatch(/disconnected.* The text is back in the box\./)
  open(anna)
  expect(box()).toHaveValue('We open at nine')
})

it('the toast opens the conversation', async () => {
  const answer = underWay()
  open(anna)
  await user.type(box(), 'We open at nine{Enter}')
  await user.click(screen.getByRole('button', { name: 'Note for the team' }))
  answer.reject(new AppError('connection_disconnected'))
  await waitFor(() => expect(toastError).toHaveBeenCalledTimes(1))
  act(() => toastError.mock.calls[0]?.[1]?.action?.onClick())
  expect(screen.getByText('/conversations/Anna')).toBeInTheDocument()
})

it('text typed meanwhile stays with a failed reply, which is reported in place', async () => {
  const answer = underWay()
  open(anna)
  await user.type(box(), 'First{Enter}')
  await user.type(box(), 'Second')
  answer.reject(new AppError('connection_disconnected'))
  expect(await screen.findByRole('alert')).toHaveTextContent(/disconnected/)
  expect(box()).toHaveValue('First\n\nSecond')
  expect(toastError).not.toHaveBeenCalled()
})

it('a failed note returns as well, and its box is the one that opens', async () => {
  const answer = underWay()
  open(anna)
  await user.click(screen.getByRole('button', { name: 'Note for the team' }))
  await user.type(box(), 'Ask Pavel{Enter}')
  open(boris)
  answer.reject(new AppError('connection_disconnected'))
  await waitFor(() => expect(toastError.mock.calls[0]?.[0]).toBe('Your note on Anna was not saved'))
  open(anna)
  expect(box()).toHaveAccessibleName('Note for the team')
  expect(box()).toHaveValue('Ask Pavel')
})

it('a draft survives a closed tab, is found when its conversation is merged with others, and is cleared at sign-out', async () => {
  open(anna)
  await user.type(box(), 'Half a reply')
  sessionStorage.clear() // a new tab
  open(
    of('Boris', {
      thread: { _id: 't', parts: [{ _id: 'Boris' }, { _id: 'Anna' }] } as unknown as Conversation['thread'],
    }),
  )
  expect(box()).toHaveValue('Half a reply')
  act(() => forgetDrafts())
  expect(box()).toHaveValue('')
  expect(JSON.stringify({ ...localStorage })).not.toContain('Half')
})

it('a reply that fails after sign-out is not shown to the next user', async () => {
  const answer = underWay()
  open(anna)
  await user.type(box(), 'Secret{Enter}')
  cleanup()
  forgetDrafts()
  await act(async () => answer.reject(new AppError('unauthenticated')))
  expect(toastError).not.toHaveBeenCalled()
  expect({ ...localStorage }).toEqual({})
})

it('a page reloaded during the sending of a reply restores it when the server did not receive it', async () => {
  underWay()
  open(anna)
  await user.type(box(), 'We open at nine{Enter}')
  dropLocks() // the old page's locks are released
  server.known.mockResolvedValue({ page: [{ author: 'operator', text: 'We open at nine', createdAt: 999 }] })
  await reload()
  await waitFor(() => expect(toastError.mock.calls[0]?.[0]).toBe('Your reply to Anna was not sent'))
  open(anna)
  expect(box()).toHaveValue('We open at nine')
})

it('and does not when the server received it', async () => {
  underWay()
  open(anna)
  await user.type(box(), 'We open at nine{Enter}')
  dropLocks()
  server.known.mockResolvedValue({ page: [{ author: 'operator', text: 'We open at nine', createdAt: 1001 }] })
  await reload()
  await waitFor(() => expect({ ...localStorage }).toEqual({}))
  expect(toastError).not.toHaveBeenCalled()
})

it('a reply that another tab is still sending is left to that tab', async () => {
  const answer = underWay()
  open(anna)
  await user.type(box(), 'We open at nine{Enter}')
  await reload()
  expect(server.known).not.toHaveBeenCalled()
  await act(async () => answer.resolve(null))
  expect(toastError).not.toHaveBeenCalled()
  expect({ ...localStorage }).toEqual({})
})

it('text of a model for a box that has closed does not replace what was typed since', async () => {
  const answer = underWay()
  open(anna)
  await user.click(screen.getByRole('button', { name: 'Helper' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Suggest a reply' }))
  open(anna)
  await user.type(box(), 'Mine')
  await act(async () => answer.resolve({ text: 'Of the model', sources: [] }))
  expect(box()).toHaveValue('Mine')
})
