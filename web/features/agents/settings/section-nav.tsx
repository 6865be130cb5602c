// The navigation of sections: next to the form when there is room, a menu above it otherwise. It follows links and scrolling.
import { useEffect, useRef, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { Select } from '#web/components/ui/select.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../agent-form.rules.ts'
import { SECTION_GROUPS, SECTION_IDS, type SectionId, sectionAt, sectionOfHash, sectionsOf } from './sections.ts'

/** The last section above this line is current, in pixels from the top of the window. */
const READING_LINE = 160

/** Renders both shapes; CSS shows one of them by width. */
export function SectionNav() {
  const active = useActiveSection()
  return (
    <>
      <SideList active={active} />
      <TopMenu active={active} />
    </>
  )
}

function SideList({ active }: { active: SectionId }) {
  const { t } = useTranslation('agents')
  const marks = useMarks()
  return (
    <nav
      aria-label={t(($) => $.settings.sections)}
      className="sticky top-20 max-h-[calc(100dvh-6rem)] self-start overflow-y-auto pb-4 max-xl:hidden"
    >
      {SECTION_GROUPS.map((group) => (
        <div key={group.name} className="not-first:mt-4">
          <p className={cn('px-3 pb-1 font-medium text-muted-foreground text-xs', group.name === 'end' && 'sr-only')}>
            {t(($) => $.sectionGroups[group.name])}
          </p>
          <ul>
            {group.sections.map((section) => (
              <li key={section}>
                <Link
                  to={`#${section}`}
                  aria-current={section === active ? 'location' : undefined}
                  className={cn(
                    'flex items-center gap-2 rounded-md px-3 py-1 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2',
                    section === active && 'bg-accent font-medium text-foreground',
                  )}
                >
                  <span className="min-w-0 flex-1">{t(($) => $.sections[section].title)}</span>
                  <Mark mark={marks(section)} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function TopMenu({ active }: { active: SectionId }) {
  const { t } = useTranslation('agents')
  const navigate = useNavigate()
  const options = SECTION_GROUPS.flatMap((group) =>
    group.sections.map((section) => ({
      value: section,
      label: t(($) => $.sections[section].title),
      group: t(($) => $.sectionGroups[group.name]),
    })),
  )
  return (
    <div className="sticky top-14 z-10 -mx-4 -my-2 border-border border-b bg-background/95 px-4 py-2 backdrop-blur-sm sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8 xl:hidden">
      <Select
        aria-label={t(($) => $.settings.sections)}
        value={active}
        onValueChange={(section) => void navigate(`#${section}`)}
        options={options}
        className="max-w-sm"
      />
    </div>
  )
}

/** A dot next to a changed or invalid section, in a colour and a word. */
function Mark({ mark }: { mark: 'wrong' | 'changed' | null }) {
  const { t } = useTranslation('agents')
  if (!mark) return null
  return (
    <span className={cn('size-1.5 shrink-0 rounded-full', mark === 'wrong' ? 'bg-destructive' : 'bg-primary')}>
      <span className="sr-only">{t(($) => $.settings.marks[mark])}</span>
    </span>
  )
}

function useMarks(): (section: SectionId) => 'wrong' | 'changed' | null {
  const { dirtyFields, errors } = useFormState<AgentForm>()
  const changed = sectionsOf(Object.keys(dirtyFields).filter((key) => isDirty(dirtyFields[key as keyof AgentForm])))
  const wrong = sectionsOf(Object.keys(errors))
  return (section) => (wrong.includes(section) ? 'wrong' : changed.includes(section) ? 'changed' : null)
}

/** The form marks single fields, at any depth. */
function isDirty(mark: unknown): boolean {
  return mark === true || (typeof mark === 'object' && mark !== null && Object.values(mark).some(isDirty))
}

/** Events of scrolling by the user. */
const OWN_SCROLLS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** The section of a followed link until the user scrolls: the last sections never reach the reading line. */
function useActiveSection(): SectionId {
  const { hash, key } = useLocation()
  const [active, setActive] = useState<SectionId>('basic')
  const followed = useRef<SectionId>(undefined)
  useEffect(() => {
    void key // the same link may be followed twice
    followed.current = sectionOfHash(hash)
    if (followed.current) setActive(followed.current)
  }, [hash, key])
  useEffect(() => {
    let frame = 0
    const read = () => {
      frame = 0
      const section = followed.current ?? readSection()
      if (section) setActive(section)
    }
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(read)
    }
    const letGo = () => {
      followed.current = undefined
    }
    schedule()
    window.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', schedule)
    for (const own of OWN_SCROLLS) window.addEventListener(own, letGo, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', schedule)
      for (const own of OWN_SCROLLS) window.removeEventListener(own, letGo)
    }
  }, [])
  return active
}

function readSection(): SectionId | undefined {
  const tops = SECTION_IDS.flatMap((id) => {
    const element = document.getElementById(id)
    return element ? [{ id, top: element.getBoundingClientRect().top }] : []
  })
  const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
  return isAtEnd && window.scrollY > 0 ? tops.at(-1)?.id : sectionAt(tops, READING_LINE)
}
