// The chat outlives what a page does to its body.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepOnPage } from './page-keeper.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

function kept() {
  const frame = document.createElement('iframe')
  const onReturn = vi.fn()
  keepOnPage(frame, onReturn)
  return { frame, onReturn }
}

function newPage(): HTMLElement {
  const page = document.createElement('html')
  page.append(document.createElement('head'), document.createElement('body'))
  return page
}

/** Mutation observers report in a microtask. */
const observed = () => vi.advanceTimersByTimeAsync(0)

it.each([
  ['its body is replaced', () => document.body.replaceWith(document.createElement('body'))],
  ['its body is emptied', () => document.body.replaceChildren()],
  ['its whole document is replaced', () => document.documentElement.replaceWith(newPage())],
])('puts the frame back when %s', async (_, swap) => {
  const { frame, onReturn } = kept()
  swap()
  await observed()
  expect(frame.parentElement).toBe(document.body)
  expect(onReturn).toHaveBeenCalledTimes(1)
})

it('puts the frame back into the second new body, too', async () => {
  const { frame, onReturn } = kept()
  for (let swaps = 0; swaps < 2; swaps++) {
    document.body.replaceWith(document.createElement('body'))
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(frame.parentElement).toBe(document.body)
  expect(onReturn).toHaveBeenCalledTimes(2)
})

it('waits between two returns, so that a page that removes the frame is not fought without end', async () => {
  const { frame, onReturn } = kept()
  frame.remove()
  await observed()
  frame.remove()
  await observed()
  expect(frame.isConnected).toBe(false)
  expect(onReturn).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(frame.isConnected).toBe(true)
  expect(onReturn).toHaveBeenCalledTimes(2)
})

it('leaves the frame alone while the page changes around it', async () => {
  const { onReturn } = kept()
  document.body.append(document.createElement('p'))
  await observed()
  expect(onReturn).not.toHaveBeenCalled()
})
