// The button that opens the window of an export.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { ExportDialog, type Exported } from './export-dialog.tsx'

/** What is exported is what is meant at the moment when it is pressed. */
export function ExportButton({ exported }: { exported: Exported }) {
  const { t } = useTranslation('exports')
  const [opened, setOpened] = useState<Exported | null>(null)
  const label = t(($) => $.many)
  return (
    <>
      <Tooltip content={label}>
        <Button variant="ghost" size="icon" aria-label={label} onClick={() => setOpened(exported)}>
          <Download />
        </Button>
      </Tooltip>
      {opened && <ExportDialog exported={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
