// The pages of the settings in the command palette.
import { Settings } from 'lucide-react'
import { CommandGroup, useSearchText } from '#web/components/ui/command.tsx'
import { useSettingsTabs } from '#web/features/settings/settings-tabs.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { CommandRow } from './command-row.tsx'

/** Those that are of use to the member. Shown only while something is searched for: the page list leads to all of them. */
export function PaletteSettings({ go }: { go: (to: string) => void }) {
  const { t } = useTranslation()
  const tabs = useSettingsTabs()
  const isSearching = useSearchText().trim() !== ''
  if (!isSearching) return null
  const settings = t(($) => $.nav.settings)
  return (
    <CommandGroup heading={settings}>
      {tabs.map((tab) => (
        <CommandRow
          key={tab}
          id={`settings ${tab}`}
          icon={<Settings aria-hidden="true" />}
          label={t(($) => $.crumbs[tab])}
          hint={settings}
          onSelect={() => go(paths[tab])}
        />
      ))}
    </CommandGroup>
  )
}
