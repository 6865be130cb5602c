// The brand that pages are under: the organization's while a member works there, else the installation's, which came with the page. The inline
// script of index.html applies the same before the first paint.
import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import type { Brand } from '#shared/organizations/branding.ts'
import { setTabIcon } from './tab-badge.ts'

const KEY = 'parley-brand'
const PRODUCT: Brand = {
  name: 'Parley',
  logo: { light: null, dark: null },
  icon: null,
  accent: { light: null, dark: null },
}

const listeners = new Set<() => void>()
/** Where there is no page, as in a program that only needs the texts, it is the program's own. */
const installation = parsed(globalThis.document?.getElementById('brand')?.textContent ?? null) ?? PRODUCT
let brand = stored() ?? installation

/** The brand now; the component renders again when it changes. */
export function useBrand(): Brand {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => brand,
  )
}

/** What the product is called now. */
export function productName(): string {
  return brand.name
}

/** Whether a brand has the mark that the program brings. */
export function hasProductMark({ name, icon }: Pick<Brand, 'name' | 'icon'>): boolean {
  return icon === null && name === PRODUCT.name
}

/** Shows the brand of an organization, and keeps it for the next page; null: shows that of the installation again. */
export function showBrand(next: Brand | null): void {
  store(next)
  const shown = next ?? installation
  if (JSON.stringify(shown) === JSON.stringify(brand)) return
  const isRenamed = shown.name !== brand.name
  brand = shown
  apply()
  for (const listener of listeners) listener()
  // Every text may name the product.
  if (isRenamed && i18next.isInitialized) i18next.emit('languageChanged', i18next.language)
}

/** Applies the brand to the page. */
function apply(): void {
  const root = document.documentElement
  const themes = (['light', 'dark'] as const).filter((theme) => brand.accent[theme] !== null)
  for (const theme of ['light', 'dark'] as const) root.style.setProperty(`--brand-${theme}`, brand.accent[theme])
  root.dataset.brand = themes.join(' ')
  const { interpolation } = i18next.options
  if (interpolation) interpolation.defaultVariables = { product: brand.name }
  setTabIcon(brand.icon)
}

function stored(): Brand | null {
  try {
    return parsed(localStorage.getItem(KEY))
  } catch {
    return null // storage may be forbidden
  }
}

function store(next: Brand | null): void {
  try {
    if (next === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // see stored()
  }
}

function parsed(text: string | null): Brand | null {
  try {
    return text === null ? null : (JSON.parse(text) as Brand)
  } catch {
    return null
  }
}
