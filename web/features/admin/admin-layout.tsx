// The frame of the pages of the administration: title and tabs. Each tab is a page with an address of its own.
import type { ReactNode } from 'react'
import { Page } from '#web/components/ui/page.tsx'
import { PageTabs } from '#web/components/ui/page-tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { ADMIN_TABS, type AdminTab } from './admin-tabs.ts'

type AdminLayoutProps = {
  /** Names the page in the document title. */
  tab: AdminTab
  /** What the page is about, where that is one thing of its tab; undefined while its name is loading. */
  subject?: string | undefined
  /** What can be done on the page. */
  actions?: ReactNode
  children: ReactNode
}

/** Title, tabs, content. */
export function AdminLayout({ tab, subject, actions, children }: AdminLayoutProps) {
  const { t } = useTranslation('admin')
  const title = t(($) => $.title)
  const tabs = ADMIN_TABS.map((each) => ({ key: each, to: paths.adminPage(each), name: t(($) => $.tabs[each]) }))
  return (
    <Page title={title} documentTitle={`${subject ?? t(($) => $.tabs[tab])} · ${title}`} actions={actions}>
      <PageTabs label={t(($) => $.tabs.label)} tabs={tabs} current={tab} />
      {children}
    </Page>
  )
}
