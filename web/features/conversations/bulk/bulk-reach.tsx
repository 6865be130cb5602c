// How far the selection in a list reaches, and extending it: to all loaded rows, then to the whole list.
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { shortcutKeys } from '#web/lib/browser/shortcuts.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Reach } from './use-selection.ts'

/** Also announced: a screen reader user cannot see that more is selected than is shown. */
export function BulkReach({ reach, onChooseAll }: { reach: Reach | null; onChooseAll: () => void }) {
  const { t } = useTranslation('conversations')
  const words = reach && reach.name === 'all' && wordsOf(reach)
  return (
    <>
      <p aria-live="polite" className={words ? 'pb-1 text-sm' : 'sr-only'}>
        {words}
      </p>
      {reach && reach.name !== 'all' && (
        <Tooltip content={t(($) => $.bulk.all)} keys={shortcutKeys('selectAll')}>
          <Button variant="link" size="sm" className="h-auto min-h-6 px-0" onClick={onChooseAll}>
            {wordsOf(reach)}
          </Button>
        </Tooltip>
      )}
    </>
  )

  function wordsOf({ name, count, isCut }: Reach): string {
    const number = formatNumber(count)
    if (name === 'some') return t(($) => $.bulk.all)
    if (name === 'loaded') return t(($) => (isCut ? $.bulk.first : $.bulk.rest), { number })
    return t(($) => (isCut ? $.bulk.firstChosen : $.bulk.allChosen), { number })
  }
}
