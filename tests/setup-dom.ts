// What jsdom lacks and Radix, sonner and cmdk call.
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
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
