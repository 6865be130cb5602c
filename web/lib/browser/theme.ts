// Theme (light or dark) and palette: stored choice, system preference, and the attributes on the root element.
// The inline script of index.html does the same before the first paint; theme.test.tsx holds the two together.
import { useSyncExternalStore } from 'react'

/** `system` follows the operating system. */
export type ThemeChoice = 'light' | 'dark' | 'system'
export type Palette = 'default' | 'doc-basic'

const THEME_KEY = 'parley-theme'
const PALETTE_KEY = 'parley-theme-palette'

type ThemeState = { choice: ThemeChoice; theme: 'light' | 'dark'; palette: Palette }

const listeners = new Set<() => void>()
const systemIsDark = () => window.matchMedia?.('(prefers-color-scheme: dark)').matches ?? false
let state = readTheme()

/** Applies the stored choice to the root element and follows later changes of the system preference and of other tabs. */
export function startTheme(): void {
  refresh()
  window.matchMedia?.('(prefers-color-scheme: dark)').addEventListener('change', refresh)
  window.addEventListener('storage', (event) => {
    if (event.key === THEME_KEY || event.key === PALETTE_KEY) refresh()
  })
}

/** Stores and applies a theme; `system` forgets the override. */
export function setTheme(choice: ThemeChoice): void {
  store(THEME_KEY, choice === 'system' ? null : choice)
  refresh()
}

/** Stores and applies a palette. */
export function setPalette(palette: Palette): void {
  store(PALETTE_KEY, palette)
  refresh()
}

/** The current theme; the component renders again when it changes. */
export function useTheme(): ThemeState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

function refresh(): void {
  state = readTheme()
  const root = document.documentElement
  root.classList.toggle('dark', state.theme === 'dark')
  root.dataset.palette = state.palette
  for (const listener of listeners) listener()
}

function readTheme(): ThemeState {
  const stored = read(THEME_KEY)
  const choice: ThemeChoice = stored === 'light' || stored === 'dark' ? stored : 'system'
  const theme = choice === 'system' ? (systemIsDark() ? 'dark' : 'light') : choice
  return { choice, theme, palette: read(PALETTE_KEY) === 'default' ? 'default' : 'doc-basic' }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // storage may be forbidden; the choice then lasts until the page is closed
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // see read()
  }
}
