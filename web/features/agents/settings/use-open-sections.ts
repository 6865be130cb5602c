// Which sections of the settings stand open, and the way to one of them: by a link, the palette or an error.
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { type SectionId, sectionOfHash } from './sections.ts'

export type OpenSections = {
  isOpen: (section: SectionId) => boolean
  setOpen: (section: SectionId, isOpen: boolean) => void
  /** Opens the sections that hold something wrong and puts the focus on the first wrong field. */
  showErrors: (sections: readonly SectionId[]) => void
}

export const OpenSectionsContext = createContext<OpenSections | null>(null)

/** The state of all sections of one page. The section in the hash of the address is opened and shown, again for each link followed. */
export function useOpenSections(): OpenSections {
  const { hash, key } = useLocation()
  const [open, setOpenSet] = useState<ReadonlySet<SectionId>>(new Set())
  const [wrong, setWrong] = useState<readonly SectionId[]>([])
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
  useEffect(() => {
    const [first] = wrong // fields and their errors stand on the page by now
    if (first) focusError(first)
  }, [wrong])
  return useMemo(
    () => ({
      isOpen: (section) => open.has(section),
      setOpen,
      showErrors: (sections) => {
        for (const section of sections) setOpen(section, true)
        setWrong([...sections])
      },
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

/** The field goes to the middle of the window, clear of all bars. */
function focusError(section: SectionId): void {
  const field = document.getElementById(section)?.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

function show(section: SectionId): void {
  const element = document.getElementById(section)
  element?.scrollIntoView()
  element?.querySelector<HTMLElement>('[data-section-title]')?.focus({ preventScroll: true })
}
