// The two chats as tabs: selects the chat of the panel, or the visible one when only one fits.
import { TEST_VARIANTS } from '#shared/messaging/test-chat.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { countSet } from './controls.rules.ts'
import type { TestControls } from './use-controls.ts'

/** Must be inside `Tabs`. */
export function SideTabs({ controls }: { controls: TestControls }) {
  const { t } = useTranslation('test-chat')
  return (
    <TabsList aria-label={t(($) => $.compare.sides)} className="px-2">
      {TEST_VARIANTS.map((variant) => {
        const changed = countSet(controls.of(variant).controls)
        return (
          <TabsTrigger key={variant} value={variant}>
            {t(($) => $.compare.side, { side: variant.toUpperCase() })}
            {changed > 0 && (
              <Badge tone="primary">
                {changed}
                <span className="sr-only">{t(($) => $.panel.changed)}</span>
              </Badge>
            )}
          </TabsTrigger>
        )
      })}
    </TabsList>
  )
}
