// Which sections of the settings stand open, and the way to one of them: by a link, the palette or an error.
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { type SectionId, sectionOfHash } from './sections.ts'

export type OpenSections = {
  isOpen: (section: SectionId) => boolean
  setOpen: (section: SectionId, isOpen: boolean) => void
  /** Opens a section at once, so that its fields can be focused. */
  reveal: (section: SectionId) => void
}

export const OpenSectionsContext = createContext<OpenSections | null>(null)

/** The state of all sections of one page. The section in the hash of the address is opened and shown, again for each link followed. */
export function useOpenSections(): OpenSections {
  const { hash, key } = useLocation()
  const [open, setOpenSet] = useState<ReadonlySet<SectionId>>(new Set())
  const setOpen = useCallback((section: SectionId, isOpen: boolean) => {
    setOpenSet((before) => new Set(isOpen ? [...before, section] : [...before].filter((each) => each !== section)))
  }, [])
  useEffect(() => {
    void key // the same link may be followed twice
    const section = sectionOfHash(hash)
    if (!section) return
    setOpen(section, true)
    show(section)
  }, [hash, key, setOpen])
  return useMemo(
    () => ({
      isOpen: (section) => open.has(section),
      setOpen,
      reveal: (section) => flushSync(() => setOpen(section, true)),
    }),
    [open, setOpen],
  )
}

/** The state around a section. */
export function useSections(): OpenSections {
  const sections = use(OpenSectionsContext)
  if (!sections) throw new Error('A section of the settings stands outside of the settings form')
  return sections
}

/** Puts the focus on the first wrong field of a section, in the middle of the window. */
export function focusError(section: SectionId): void {
  const field = document.getElementById(section)?.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

function show(section: SectionId): void {
  const element = document.getElementById(section)
  element?.scrollIntoView()
  element?.querySelector<HTMLElement>('[data-section-title]')?.focus({ preventScroll: true })
}
