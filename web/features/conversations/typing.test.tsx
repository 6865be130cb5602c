// Typing in an open conversation without looking where the cursor is: no text is lost, none goes to another customer, no shortcut acts by it.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { useCallback, useState } from 'react'
import { createMemoryRouter, RouterProvider, useLocation, useNavigate } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { useComingBox } from '#web/components/chat/composer/use-typing-box.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { ActionScope } from '#web/lib/action-scope.tsx'
import { setSingleKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { type Address, followRouter } from '#web/lib/sign-in/asked-address.ts'
import { carryWritingOn, offerReturn } from '#web/lib/typing-burst.ts'
import { WritingBox } from './reply/reply-box.tsx'

const acted = vi.fn()
fakeConvex(() => ({
  useQuery: (ref: Parameters<typeof getFunctionName>[0]) =>
    getFunctionName(ref) === 'organizations:members' ? [] : undefined,
  useMutation: () => async () => null,
  useAction: () => async () => null,
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

/** What the other conversation is loaded by: until then a place for it stands there. */
let load: () => void

function Panel({ id }: { id: string }) {
  const [isLoaded, setLoaded] = useState(id === 'a')
  load = () => setLoaded(true)
  useComingBox(!isLoaded)
  if (!isLoaded) return null
  const conversation = {
    _id: id,
    channel: 'telegram',
    status: 'active',
    agentName: 'Robo',
    customer: { _id: id, contactId: id, name: id, username: null },
  } as unknown as Conversation
  return (
    <>
      <h2>{id}</h2>
      <WritingBox conversation={conversation} onOpenSource={() => undefined}>
        <p>Log</p>
      </WritingBox>
      <Filing />
    </>
  )
}

function Filing() {
  useShortcut('archive', () => acted('archive'))
  useShortcut('assign', () => acted('assign'))
  return null
}

function Inbox() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isHere = useCallback((asked: Address) => asked.pathname === pathname, [pathname])
  useShortcut('nextItem', () => {
    carryWritingOn()
    void navigate('/b')
    offerReturn(() => void navigate(pathname))
  })
  useShortcut('select', () => acted('select'))
  useShortcut('goChannels', () => acted('channels'))
  return (
    <>
      <a href="#row">Row</a>
      <input aria-label="Search" />
      <ActionScope isHere={isHere}>
        <Panel key={pathname} id={pathname.slice(1)} />
      </ActionScope>
    </>
  )
}

const reply = () => screen.getByRole('textbox', { name: 'Your reply' })
const note = () => screen.getByRole('textbox', { name: 'Note for the team' })
let forget: () => void
let router: ReturnType<typeof createMemoryRouter>

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  acted.mockClear()
  localStorage.clear()
  router = createMemoryRouter([{ path: '*', element: <Inbox /> }], { initialEntries: ['/a'] })
  forget = followRouter(router)
  render(
    <TooltipProvider>
      <RouterProvider router={router} />
    </TooltipProvider>,
  )
  await wait()
})
afterEach(async () => {
  await wait()
  forget()
  setSingleKeys(true)
  vi.useRealTimers()
})

/** Longer than between two letters of one row. */
async function wait() {
  await act(() => vi.advanceTimersByTimeAsync(400))
}

/** One press, as a keyboard sends it; where it reaches a field, the field takes it. */
async function press(code: string, key: string, init: KeyboardEventInit = {}) {
  const target = document.activeElement ?? document.body
  const isFree = fireEvent.keyDown(target, { code, key, ...init })
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  if (isFree && isField && key.length === 1 && !init.altKey)
    fireEvent.change(target, { target: { value: target.value + key } })
  fireEvent.keyUp(target, { code, key, ...init })
  await act(async () => {})
}

const CODES: Record<string, string> = {
  ...{ о: 'KeyJ', л: 'KeyK', у: 'KeyE', ф: 'KeyA', ч: 'KeyX', п: 'KeyG', р: 'KeyH', и: 'KeyB', в: 'KeyD', е: 'KeyT' },
  ...{ т: 'KeyN', к: 'KeyR', д: 'KeyL', н: 'KeyY', з: 'KeyP', с: 'KeyC', а: 'KeyF', ' ': 'Space' },
}

async function type(text: string) {
  for (const letter of text) {
    const small = letter.toLowerCase()
    await press(CODES[small] ?? `Key${letter.toUpperCase()}`, letter, { shiftKey: small !== letter })
  }
}

describe('Alt+L and Alt+P', () => {
  it('put the cursor into the reply after a press on a row, after a note, and when it was taken away', async () => {
    act(() => screen.getByRole('link', { name: 'Row' }).focus())
    await press('KeyL', 'д', { altKey: true })
    expect(reply()).toHaveFocus()
    await press('KeyP', 'з', { altKey: true })
    expect(note()).toHaveFocus()
    act(() => note().blur())
    await press('KeyP', 'p', { altKey: true })
    expect(note()).toHaveFocus()
    await press('KeyL', 'l', { altKey: true })
    expect(reply()).toHaveFocus()
    act(() => reply().blur())
    await press('KeyL', 'l', { altKey: true })
    expect(reply()).toHaveFocus()
  })
})

describe('letters typed while no field has the focus', () => {
  it.each(['Hello', 'Здравствуйте', 'да нет', 'thanks'])('begin a reply: %s', async (text) => {
    act(() => screen.getByRole('link', { name: 'Row' }).focus())
    await type(text)
    await wait()
    expect(reply()).toHaveValue(text)
    expect(reply()).toHaveFocus()
    expect(acted).not.toHaveBeenCalled()
  })

  it.each(['у нас есть', 'что', 'привет', 'eat', 'great', 'фен'])(
    'are text as a whole when the first of them are shortcuts: %s',
    async (text) => {
      await type(text)
      await wait()
      expect(reply()).toHaveValue(text)
      expect(acted).not.toHaveBeenCalled()
    },
  )

  it('go behind a draft that stands there, and into the note where that is open', async () => {
    fireEvent.change(reply(), { target: { value: 'Half ' } })
    await type('done')
    expect(reply()).toHaveValue('Half done')
    await press('KeyP', 'p', { altKey: true })
    act(() => note().blur())
    await type('Why')
    expect(note()).toHaveValue('Why')
  })

  it('are shortcuts when they are pressed alone', async () => {
    await press('KeyE', 'у')
    expect(acted).not.toHaveBeenCalled()
    await wait()
    expect(acted.mock.calls).toEqual([['archive']])
    await press('KeyA', 'ф')
    await wait()
    await press('KeyG', 'g')
    await press('KeyH', 'h')
    await wait()
    expect(acted.mock.calls.flat()).toEqual(['archive', 'assign', 'channels'])
    expect(reply()).toHaveValue('')
  })

  it('are all text where single keys are switched off', async () => {
    setSingleKeys(false)
    await act(async () => {})
    await press('KeyE', 'e')
    await wait()
    expect(reply()).toHaveValue('e')
    expect(acted).not.toHaveBeenCalled()
  })

  it('stay in the field that has the focus', async () => {
    act(() => screen.getByRole('textbox', { name: 'Search' }).focus())
    await type('Hello')
    expect(reply()).toHaveValue('')
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('Hello')
  })

  it('do nothing while a window is open', async () => {
    render(<div role="dialog" data-state="open" />)
    await type('Hello')
    expect(reply()).toHaveValue('')
  })
})

describe('on the way to another conversation', () => {
  it('J leads there at once when it is pressed alone', async () => {
    await press('KeyJ', 'о')
    expect(router.state.location.pathname).toBe('/b')
    await wait()
    expect(router.state.location.pathname).toBe('/b')
  })

  it('a text that begins with J goes to the customer for whom it was begun, and the way is gone back', async () => {
    await type('ок')
    await wait()
    expect(router.state.location.pathname).toBe('/a')
    expect(reply()).toHaveValue('ок')
    expect(screen.getByRole('heading')).toHaveTextContent('a')
  })

  it('what is typed before the other is loaded goes to the other', async () => {
    fireEvent.change(reply(), { target: { value: 'For A' } })
    await act(() => router.navigate('/b'))
    await type('Hello')
    await act(async () => load())
    expect(screen.getByRole('heading')).toHaveTextContent('b')
    expect(reply()).toHaveValue('Hello')
    await act(() => router.navigate('/a'))
    expect(reply()).toHaveValue('For A')
  })

  it('who writes and goes on with Alt+J goes on writing there, and archives nothing by it', async () => {
    await press('KeyL', 'l', { altKey: true })
    await type('For A')
    await press('KeyJ', 'о', { altKey: true })
    await type('e a')
    await act(async () => load())
    expect(reply()).toHaveValue('e a')
    expect(reply()).toHaveFocus()
    await wait()
    expect(acted).not.toHaveBeenCalled()
  })
})
