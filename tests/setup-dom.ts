// What jsdom lacks and Radix, sonner and cmdk call.
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import i18next from 'i18next'
import { afterAll, afterEach, vi } from 'vitest'
import { forbidMissingTexts } from './missing-texts.ts'

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.scrollIntoView ??= () => {}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.setPointerCapture ??= () => {}
Element.prototype.releasePointerCapture ??= () => {}
// What is waited for takes as long as the machine is busy; a test that waits in vain ends by this.
configure({ asyncUtilTimeout: 20_000 })
forbidMissingTexts()
afterEach(cleanup)
// The next file finds the page as this one has found it.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
  Object.assign(i18next, { isInitialized: false, languages: undefined, resolvedLanguage: undefined }) // it chooses its own
})
