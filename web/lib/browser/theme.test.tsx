// Theme and palette: what is stored, what the system prefers, and what stands on the root element.
import { readFileSync } from 'node:fs'
import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const root = document.documentElement
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/.exec(readFileSync('index.html', 'utf8'))?.[1] ?? ''

function preferDark(isDark: boolean) {
  const listeners = new Set<() => void>()
  const media = {
    matches: isDark,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
  }
  window.matchMedia = vi.fn(() => media as unknown as MediaQueryList)
  return (next: boolean) => {
    media.matches = next
    for (const listener of listeners) listener()
  }
}

async function freshTheme() {
  vi.resetModules()
  const theme = await import('./theme.ts')
  theme.startTheme()
  return theme
}

describe('theme', () => {
  beforeEach(() => {
    localStorage.clear()
    root.className = ''
    preferDark(false)
  })

  it('follows the system until something is chosen, also when the system changes', async () => {
    const change = preferDark(true)
    await freshTheme()
    expect(root).toHaveClass('dark')
    change(false)
    expect(root).not.toHaveClass('dark')
  })

  it('stores a choice, and forgets it for the system', async () => {
    const { setTheme } = await freshTheme()
    setTheme('dark')
    expect(root).toHaveClass('dark')
    expect(localStorage.getItem('parley-theme')).toBe('dark')
    setTheme('system')
    expect(root).not.toHaveClass('dark')
    expect(localStorage.getItem('parley-theme')).toBeNull()
  })

  it('falls back to doc-basic when nothing valid is stored', async () => {
    localStorage.setItem('parley-theme-palette', 'neon')
    const { setPalette } = await freshTheme()
    expect(root.dataset.palette).toBe('doc-basic')
    setPalette('default')
    expect(root.dataset.palette).toBe('default')
    expect(localStorage.getItem('parley-theme-palette')).toBe('default')
  })

  it('renders again when it changes', async () => {
    const { setTheme, useTheme } = await freshTheme()
    const { result } = renderHook(() => useTheme())
    expect(result.current.theme).toBe('light')
    act(() => setTheme('dark'))
    expect(result.current).toMatchObject({ theme: 'dark', choice: 'dark' })
  })

  it.each([
    [null, null, false],
    [null, null, true],
    ['dark', 'default', false],
    ['light', 'neon', true],
  ])('is the same before the first paint: stored %s and %s, system dark %s', async (theme, palette, isDark) => {
    preferDark(isDark)
    if (theme) localStorage.setItem('parley-theme', theme)
    if (palette) localStorage.setItem('parley-theme-palette', palette)
    new Function('matchMedia', INLINE_SCRIPT)(window.matchMedia)
    const early = [root.classList.contains('dark'), root.dataset.palette]
    await freshTheme()
    expect([root.classList.contains('dark'), root.dataset.palette]).toEqual(early)
  })
})
