// The frame of the settings pages: title and tabs. Each tab is a page with an address of its own.
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Page } from '#web/components/ui/page.tsx'
import { reveal } from '#web/lib/browser/reveal.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'

const TABS = ['profile', 'notifications', 'organization', 'team', 'replies', 'data', 'security', 'api'] as const

/** `tab` names the page in the document title. */
export function SettingsLayout({ tab, children }: { tab: (typeof TABS)[number]; children: ReactNode }) {
  const { t } = useTranslation('settings')
  const title = t(($) => $.title)
  return (
    <Page title={title} documentTitle={`${t(($) => $.tabs[tab])} · ${title}`} width="narrow">
      <nav
        aria-label={t(($) => $.tabs.label)}
        className="flex overflow-x-auto border-border border-b [scrollbar-width:none]"
      >
        {TABS.map((each) => (
          <NavLink
            key={each}
            ref={each === tab ? reveal : undefined}
            to={paths[each]}
            className={({ isActive }) =>
              cn(
                '-mb-px flex h-10 shrink-0 items-center border-transparent border-b-2 px-1.5 font-medium text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 pointer-coarse:h-11',
                isActive && 'border-primary text-foreground',
              )
            }
          >
            {t(($) => $.tabs[each])}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  )
}
