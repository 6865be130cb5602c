// The bar at the bottom of the settings while something is not saved.
import { useFormState } from 'react-hook-form'
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../agent-form.rules.ts'
import { sectionsOf } from './sections.ts'

type SaveBarProps = { onSave: () => void; onSaveDraft: () => void; onDiscard: () => void }

/** Sticks to the bottom of the window; Mod+S saves from anywhere on the page. Names the sections that hold something wrong. */
export function SaveBar({ onSave, onSaveDraft, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('agents')
  const { isDirty, isSubmitting, errors } = useFormState<AgentForm>()
  useShortcut('save', onSave, { isEnabled: isDirty })
  const wrong = sectionsOf(Object.keys(errors)).map((section) => t(($) => $.sections[section].title))
  return (
    <div role="status" className="sticky bottom-4 z-20 empty:-mt-6 max-sm:bottom-20">
      {isDirty && (
        <div className="slide-in-from-bottom-2 flex animate-in flex-wrap items-center gap-x-2 gap-y-2 rounded-xl border border-border bg-surface px-4 py-3 shadow-overlay duration-150">
          <div className={cn('min-w-0 flex-1', wrong.length > 0 ? 'basis-full' : 'basis-48')}>
            <p className="font-medium">{t(($) => $.save.unsaved)}</p>
            {wrong.length > 0 && (
              <p className="text-[0.8125rem] text-destructive-soft-foreground">
                {t(($) => $.save.check, { sections: wrong.join(', ') })}
              </p>
            )}
          </div>
          <div className="ms-auto flex flex-wrap justify-end gap-2">
            <Button variant="ghost" onClick={onDiscard} disabled={isSubmitting}>
              {t(($) => $.save.discard)}
            </Button>
            <Button onClick={onSaveDraft} disabled={isSubmitting}>
              {t(($) => $.save.draft)}
            </Button>
            <Tooltip content={t(($) => $.save.saveHint)} keys={shortcutKeys('save')}>
              <Button variant="primary" isBusy={isSubmitting} onClick={onSave}>
                {t(($) => $.save.save)}
              </Button>
            </Tooltip>
          </div>
        </div>
      )}
    </div>
  )
}
