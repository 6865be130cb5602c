// What a link to a document, a note or a table shows after that was deleted.
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { refusalData } from '#web/lib/refusal.ts'

/** Says so in a dialog when the children throw that it is not there; any other error is the page's. */
export function IfGone({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ErrorBoundary
      fallbackRender={({ error }) => {
        if (refusalData(error)?.code !== 'not_found') throw error
        return <GoneDialog onClose={onClose} />
      }}
    >
      {children}
    </ErrorBoundary>
  )
}

/** Open while mounted. */
function GoneDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('knowledge')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.gone.title)} description={t(($) => $.gone.body)}>
        <DialogFooter>
          <Button variant="primary" onClick={onClose}>
            {t(($) => $.gone.close)}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
