// How long drafts are kept, and for which user.
import { act, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { DRAFT_DAYS, DRAFTS_MAX } from '#shared/limits.ts'
import { startI18n } from '#web/lib/i18n.ts'
import { SessionProvider, useSession } from '#web/lib/sign-in/session.tsx'
import { lastingDrafts, useDraft, useLastingDraft, withReturned } from './draft.ts'

beforeAll(() => startI18n('en'))
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const DAY_MS = 86_400_000

it('expire after DRAFT_DAYS, and are removed when another is started', () => {
  vi.useFakeTimers({ now: 0 })
  lastingDrafts.change('old', 'Old')
  vi.setSystemTime(DRAFT_DAYS * DAY_MS - 1)
  expect(lastingDrafts.read('old')).toBe('Old')
  vi.setSystemTime(DRAFT_DAYS * DAY_MS + 1)
  expect(lastingDrafts.read('old')).toBe('')
  lastingDrafts.change('new', 'New')
  expect(lastingDrafts.keys('')).toEqual(['new'])
})

it('are limited in number: the oldest are removed', () => {
  vi.useFakeTimers({ now: 0 })
  for (let index = 0; index <= DRAFTS_MAX; index++) {
    vi.setSystemTime(index)
    lastingDrafts.change(`${index}`, 'Words')
  }
  expect(lastingDrafts.keys('')).toHaveLength(DRAFTS_MAX)
  expect(lastingDrafts.read('0')).toBe('')
  expect(lastingDrafts.read(`${DRAFTS_MAX}`)).toBe('Words')
})

it('are shared by all tabs, and empty ones are not kept', () => {
  const { result } = renderHook(() => useLastingDraft(['a', 'b']))
  act(() => result.current[1]('Here'))
  expect(result.current[0]).toBe('Here')
  act(() => {
    localStorage.setItem('parley-draft:a', JSON.stringify({ text: 'There', at: Date.now() }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'parley-draft:a' }))
  })
  expect(result.current[0]).toBe('There')
  act(() => result.current[1](''))
  expect(localStorage).toHaveLength(0)
})

it('last as long as the page when nothing can be stored', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const { result, unmount } = renderHook(() => useLastingDraft(['a']))
  act(() => result.current[1]('Here'))
  unmount()
  expect(renderHook(() => useLastingDraft(['a'])).result.current[0]).toBe('Here')
  act(() => lastingDrafts.change('a', ''))
})

it('are cleared at sign-out, including those of the tab', async () => {
  vi.stubGlobal('fetch', async () => Response.json(null))
  function SignOut() {
    const { end, status } = useSession()
    return (
      <button type="button" onClick={() => void end()}>
        {status}
      </button>
    )
  }
  const { result } = renderHook(() => [useDraft('test'), useLastingDraft(['reply'])] as const, {
    wrapper: ({ children }) => (
      <SessionProvider>
        <SignOut />
        {children}
      </SessionProvider>
    ),
  })
  act(() => {
    result.current[0][1]('A question')
    result.current[1][1]('An answer')
  })
  expect(result.current.map(([text]) => text)).toEqual(['A question', 'An answer'])
  await userEvent.setup().click(await screen.findByRole('button', { name: 'signedOut' }))
  await expect.poll(() => result.current.map(([text]) => text)).toEqual(['', ''])
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
})

it('are restored together with what was typed since', () => {
  expect(withReturned('One', '')).toBe('One')
  expect(withReturned('One', ' \n')).toBe('One')
  expect(withReturned('One', 'One')).toBe('One')
  expect(withReturned('One', 'Two')).toBe('One\n\nTwo')
  expect(withReturned('', 'Two')).toBe('Two')
})
