// Shortcuts by position of the key, chords, and when they keep quiet.
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  isChord,
  type ShortcutName,
  setSingleKeys,
  shortcutKeys,
  useActiveShortcuts,
  useShortcut,
} from './shortcuts.ts'

/** A key as a keyboard sends it; on the Russian layout `key` differs and `code` does not. */
function press(code: string, key: string, options: KeyboardEventInit & { target?: Element } = {}) {
  const { target = document.body, ...init } = options
  fireEvent.keyDown(target, { code, key, ...init })
  fireEvent.keyUp(target, { code, key, ...init })
}

function Page({ name, act: run, isFirst = false }: { name: ShortcutName; act: () => void; isFirst?: boolean }) {
  useShortcut(name, run, { isFirst })
  return <input aria-label="text" />
}

afterEach(() => setSingleKeys(true))

describe('shortcuts', () => {
  it('work on the Russian layout: Ctrl with the key where K stands', () => {
    const run = vi.fn()
    render(<Page name="openPalette" act={run} />)
    press('KeyK', 'л', { ctrlKey: true })
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('work as chords on the Russian layout: G, then A', () => {
    const run = vi.fn()
    render(<Page name="goAgents" act={run} />)
    press('KeyG', 'п')
    expect(run).not.toHaveBeenCalled()
    press('KeyA', 'ф')
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('as chords mean nothing else with their second key, and nothing behind a window or with Ctrl', () => {
    const [goTo, assign] = [vi.fn(), vi.fn()]
    const counts = () => [goTo.mock.calls.length, assign.mock.calls.length]
    render(<Page name="goAgents" act={goTo} />)
    render(<Page name="assign" act={assign} />)
    press('KeyG', 'п')
    press('KeyA', 'ф')
    expect(counts()).toEqual([1, 0])
    press('KeyA', 'ф')
    expect(counts()).toEqual([1, 1])
    press('KeyG', 'g', { ctrlKey: true })
    press('KeyA', 'a')
    expect(counts()).toEqual([1, 2])
    press('KeyG', 'g')
    press('KeyA', 'a', { ctrlKey: true })
    expect(counts()).toEqual([1, 2])
    render(<div role="dialog" data-state="open" />)
    press('KeyG', 'g')
    press('KeyA', 'a')
    expect(counts()).toEqual([1, 2])
  })

  it('work where the Russian layout has another sign: the key of the slash types a full stop there', () => {
    const run = vi.fn()
    render(<Page name="searchList" act={run} />)
    press('Slash', '.')
    expect(run).toHaveBeenCalledTimes(1)
    press('Slash', '/')
    expect(run).toHaveBeenCalledTimes(2)
    const input = screen.getByLabelText('text')
    input.focus()
    press('Slash', '.', { target: input })
    expect(run).toHaveBeenCalledTimes(2)
  })
})

describe('shortcuts keep quiet', () => {
  it('while typing, unless they type nothing', () => {
    const goTo = vi.fn()
    const send = vi.fn()
    render(<Page name="goAgents" act={goTo} />)
    render(<Page name="send" act={send} />)
    const [input] = screen.getAllByLabelText('text')
    if (!input) throw new Error('no input')
    input.focus()
    press('KeyG', 'g', { target: input })
    press('KeyA', 'a', { target: input })
    press('Enter', 'Enter', { target: input, ctrlKey: true })
    expect(goTo).not.toHaveBeenCalled()
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('in a text field without Alt, and move through a list with it', () => {
    const next = vi.fn()
    render(<Page name="nextItem" act={next} />)
    const input = screen.getByLabelText('text')
    press('KeyJ', 'о')
    expect(next).toHaveBeenCalledTimes(1)
    press('KeyJ', 'о', { target: input })
    expect(next).toHaveBeenCalledTimes(1)
    press('KeyJ', 'о', { target: input, altKey: true })
    expect(next).toHaveBeenCalledTimes(2)
    press('KeyJ', 'ј', { target: input, altKey: true, ctrlKey: true }) // AltGr types
    expect(next).toHaveBeenCalledTimes(2)
    render(<div role="dialog" data-state="open" />)
    press('KeyJ', 'о', { target: input, altKey: true })
    expect(next).toHaveBeenCalledTimes(2)
  })

  it.each(['dialog', 'alertdialog', 'menu', 'listbox'])('behind an open %s, whose keys are its own', (role) => {
    const run = vi.fn()
    render(
      <>
        <Page name="newItem" act={run} />
        <div role={role} data-state="open" />
      </>,
    )
    press('KeyN', 'N', { shiftKey: true })
    expect(run).not.toHaveBeenCalled()
  })

  it('at Escape, for the menu that it closes', () => {
    const clear = vi.fn()
    render(<Page name="clearSelection" act={clear} />)
    const menu = document.createElement('div')
    menu.role = 'menu'
    menu.dataset.state = 'open'
    document.body.append(menu)
    const close = () => menu.remove()
    document.addEventListener('keydown', close, { capture: true, once: true })
    press('Escape', 'Escape')
    expect(menu.isConnected).toBe(false)
    expect(clear).not.toHaveBeenCalled()
    press('Escape', 'Escape')
    expect(clear).toHaveBeenCalledTimes(1)
  })
})

describe('shortcuts on a page', () => {
  it('act once where one stands before the others, and for the others again when it is gone', () => {
    const [open, chosen] = [vi.fn(), vi.fn()]
    render(<Page name="archive" act={open} />)
    const { unmount } = render(<Page name="archive" act={chosen} isFirst />)
    press('KeyE', 'у')
    expect([open.mock.calls.length, chosen.mock.calls.length]).toEqual([0, 1])
    unmount()
    press('KeyE', 'у')
    expect([open.mock.calls.length, chosen.mock.calls.length]).toEqual([1, 1])
  })

  it('without Ctrl or Alt can be turned off', () => {
    const run = vi.fn()
    render(<Page name="goAgents" act={run} />)
    act(() => setSingleKeys(false))
    press('KeyG', 'g')
    press('KeyA', 'a')
    expect(run).not.toHaveBeenCalled()
    expect(localStorage.getItem('parley-single-keys')).toBe('off')
  })

  it('are listed only while a page has taken them', () => {
    const { result } = renderHook(() => useActiveShortcuts())
    expect(result.current).toEqual([])
    const { unmount } = render(<Page name="save" act={() => {}} />)
    expect(result.current).toEqual(['save'])
    unmount()
    expect(result.current).toEqual([])
  })

  it('show the keys as printed on the keyboard', () => {
    expect(shortcutKeys('openPalette')).toEqual(['Ctrl', 'K'])
    expect(shortcutKeys('goAgents')).toEqual(['G', 'A'])
    expect(isChord('goAgents')).toBe(true)
    expect(isChord('openPalette')).toBe(false)
  })
})
