// A secret that is shown this once.
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { DialogFooter } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** What a dialog shows after it has made a secret. `isRotated`: the one before stays valid for a day. */
export function NewSecret({
  secret,
  isRotated = false,
  onClose,
}: {
  secret: string
  isRotated?: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('webhooks')
  return (
    <div className="flex flex-col gap-5">
      <Alert tone="warning">{t(($) => $.shownOnce)}</Alert>
      <div className="flex items-center gap-2 rounded-lg border border-border bg-muted px-3 py-2">
        <code className="min-w-0 flex-1 select-all break-all text-[0.8125rem]">{secret}</code>
        <CopyButton text={secret} label={t(($) => $.copySecret)} />
      </div>
      <p className="text-[0.8125rem] text-muted-foreground">{t(($) => (isRotated ? $.rotatedHint : $.secretHint))}</p>
      <DialogFooter>
        <Button variant="primary" isForReading onClick={onClose}>
          {t(($) => $.done)}
        </Button>
      </DialogFooter>
    </div>
  )
}
