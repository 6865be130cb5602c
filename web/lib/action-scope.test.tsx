// What is shown and what is acted on are one: from the moment something else is asked for, nothing acts on what was there before.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { type ReactNode, Suspense, startTransition, use, useState } from 'react'
import { createPortal } from 'react-dom'
import { createMemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ActionScope } from './action-scope.tsx'
import { useShortcut } from './browser/shortcuts.ts'
import { type Address, followRouter } from './sign-in/asked-address.ts'

const A = '/chats?conversation=a'
const B = '/chats?conversation=b'
const acted = vi.fn()
let router: ReturnType<typeof createMemoryRouter>
let forget = () => {}

beforeEach(() => {
  acted.mockClear()
  router = createMemoryRouter([{ path: '*', element: null }], { initialEntries: [A] })
  forget = followRouter(router)
})
afterEach(() => {
  forget()
  router.dispose()
})

const isA = ({ search }: Address) => search === '?conversation=a'
const isB = ({ search }: Address) => search === '?conversation=b'

/** The router is asked for the other conversation; what is rendered stays, as during a transition. */
const ask = (path: string) => act(() => router.navigate(path))

function show(children: ReactNode) {
  return render(<ActionScope isHere={isA}>{children}</ActionScope>)
}

describe('while another conversation is asked for and not drawn yet', () => {
  it('a button of the former one is dead, and alive again when the person comes back to it', async () => {
    show(
      <button type="button" onClick={acted}>
        Hand back
      </button>,
    )
    const press = () => fireEvent.click(screen.getByRole('button'))
    press()
    expect(acted).toHaveBeenCalledTimes(1)
    await ask(B)
    press()
    expect(acted).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('button').closest('[aria-busy="true"]')).not.toBeNull()
    await ask(A)
    press()
    expect(acted).toHaveBeenCalledTimes(2)
  })

  it('menus of assignment and tags do not open', async () => {
    show(
      <button type="button" onPointerDown={acted} onKeyDown={acted}>
        Assign
      </button>,
    )
    await ask(B)
    fireEvent.pointerDown(screen.getByRole('button'))
    fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' })
    expect(acted).not.toHaveBeenCalled()
  })

  it('a window with a question that was opened for the former one answers nothing', async () => {
    show(
      createPortal(
        <button type="button" onClick={acted}>
          End the conversation
        </button>,
        document.body,
      ),
    )
    await ask(B)
    fireEvent.click(screen.getByRole('button'))
    expect(acted).not.toHaveBeenCalled()
  })

  it('a reply or note of the former one is not sent, and its letters are taken', async () => {
    show(
      <form onSubmit={acted}>
        <textarea aria-label="Reply" onKeyDown={({ key }) => acted(key)} />
      </form>,
    )
    await ask(B)
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', ctrlKey: true })
    fireEvent.submit(screen.getByRole('textbox'))
    expect(acted).not.toHaveBeenCalled()
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'x' })
    expect(acted.mock.calls).toEqual([['x']])
  })

  it('its shortcuts do nothing', async () => {
    function Filing() {
      useShortcut('archive', acted)
      return null
    }
    show(<Filing />)
    const press = () => fireEvent.keyDown(document.body, { code: 'KeyE', key: 'у' })
    await ask(B)
    press()
    expect(acted).not.toHaveBeenCalled()
    await ask(A)
    press()
    expect(acted).toHaveBeenCalledTimes(1)
  })

  it('files dropped on it are not taken', async () => {
    show(<button type="button" onDrop={acted} />)
    await ask(B)
    fireEvent.drop(screen.getByRole('button'))
    expect(acted).not.toHaveBeenCalled()
  })
})

it('acts again, on the new one, once that is drawn', async () => {
  const loaded = Promise.withResolvers<void>()
  let open = () => {}
  function Conversation({ id }: { id: string }) {
    if (id === 'b') use(loaded.promise)
    return (
      <button type="button" onClick={() => acted(id)}>
        Hand back
      </button>
    )
  }
  function Page() {
    const [id, setId] = useState('a')
    open = () => startTransition(() => setId('b'))
    return (
      <ActionScope isHere={id === 'a' ? isA : isB}>
        <Suspense>
          <Conversation id={id} />
        </Suspense>
      </ActionScope>
    )
  }
  render(<Page />)
  await ask(B)
  await act(async () => open())
  fireEvent.click(screen.getByRole('button'))
  expect(acted).not.toHaveBeenCalled()
  await act(async () => loaded.resolve())
  fireEvent.click(screen.getByRole('button'))
  expect(acted.mock.calls).toEqual([['b']])
})
