// The bar at the bottom of the settings while something is not saved.
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { shortcutKeys, useShortcut } from '#web/lib/shortcuts.ts'

type SaveBarProps = { isDirty: boolean; isSaving: boolean; onSave: () => void; onDiscard: () => void }

/** Sticks to the bottom of the window; Mod+S saves from anywhere on the page. */
export function SaveBar({ isDirty, isSaving, onSave, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('agents')
  useShortcut('save', onSave, { isEnabled: isDirty })
  return (
    <div role="status" className="sticky bottom-4 z-20 empty:-mt-6 max-sm:bottom-20">
      {isDirty && (
        <div className="slide-in-from-bottom-2 flex animate-in flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-border bg-surface px-4 py-3 shadow-overlay duration-150">
          <p className="min-w-0 flex-1 basis-48 font-medium">{t(($) => $.save.unsaved)}</p>
          <div className="ms-auto flex gap-2">
            <Button variant="ghost" onClick={onDiscard} disabled={isSaving}>
              {t(($) => $.save.discard)}
            </Button>
            <Tooltip content={t(($) => $.save.save)} keys={shortcutKeys('save')}>
              <Button variant="primary" isBusy={isSaving} onClick={onSave}>
                {t(($) => $.save.save)}
              </Button>
            </Tooltip>
          </div>
        </div>
      )}
    </div>
  )
}
