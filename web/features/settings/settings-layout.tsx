// The frame of the settings pages: title and tabs. Each tab is a page with an address of its own.
import type { ReactNode } from 'react'
import { Page } from '#web/components/ui/page.tsx'
import { PageTabs } from '#web/components/ui/page-tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { type SettingsTab, useSettingsTabs } from './settings-tabs.ts'

/** `tab` names the page in the document title. */
export function SettingsLayout({ tab, children }: { tab: SettingsTab; children: ReactNode }) {
  const { t } = useTranslation('settings')
  const title = t(($) => $.title)
  const tabs = useSettingsTabs().map((each) => ({ key: each, to: paths[each], name: t(($) => $.tabs[each]) }))
  return (
    <Page title={title} documentTitle={`${t(($) => $.tabs[tab])} · ${title}`} width="narrow">
      <PageTabs label={t(($) => $.tabs.label)} tabs={tabs} current={tab} />
      {children}
    </Page>
  )
}
