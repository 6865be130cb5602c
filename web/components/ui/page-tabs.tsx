// Tabs that are pages of their own, as links under the title of a screen.
import { NavLink } from 'react-router'
import { reveal } from '#web/lib/browser/reveal.ts'
import { cn } from '#web/lib/cn.ts'

type Tab = { key: string; to: string; name: string }

/** The current one is scrolled into view where not all fit. `label` names the tabs for assistive technology. */
export function PageTabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav aria-label={label} className="flex overflow-x-auto border-border border-b [scrollbar-width:none]">
      {tabs.map(({ key, to, name }) => (
        <NavLink
          key={key}
          ref={key === current ? reveal : undefined}
          to={to}
          className={({ isActive }) =>
            cn(
              '-mb-px flex h-10 shrink-0 items-center border-transparent border-b-2 px-1.5 font-medium lg:px-1 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 pointer-coarse:h-11',
              isActive && 'border-primary text-foreground',
            )
          }
        >
          {name}
        </NavLink>
      ))}
    </nav>
  )
}
