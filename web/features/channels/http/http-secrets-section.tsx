// Replacing the secrets of a program.
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { SecretBox } from '../connection/secret-box.tsx'

const DIRECTIONS = ['inbound', 'outbound'] as const
type Direction = (typeof DIRECTIONS)[number]

/** Asks first; the new secret is shown until its dialog is closed, and never again. */
export function HttpSecretsSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const rotate = useAction(api.channels.http.rotateSecret)
  const [asked, setAsked] = useState<Direction>()
  const [secret, setSecret] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function confirm(direction: Direction) {
    setBusy(true)
    const made = await rotate({ connectionId: connection._id, direction }).catch(() => null) // the toast shows the error
    setBusy(false)
    if (!made) return
    setAsked(undefined)
    setSecret(made.secret)
  }

  return (
    <CardSection title={t(($) => $.httpSecrets.title)} description={t(($) => $.httpSecrets.body)}>
      <ul className="divide-y divide-border rounded-lg border border-border">
        {DIRECTIONS.map((direction) => (
          <li key={direction} className="flex flex-wrap items-center gap-3 px-4 py-3">
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-medium">{t(($) => $.httpSecrets[direction])}</p>
              <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.httpSecrets[`${direction}Hint`])}</p>
            </div>
            <Button
              size="sm"
              aria-label={t(($) => $.httpSecrets.rotateLabel[direction])}
              onClick={() => setAsked(direction)}
            >
              {t(($) => $.httpSecrets.rotate)}
            </Button>
          </li>
        ))}
      </ul>
      <AlertDialog
        isOpen={asked !== undefined}
        onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
        title={t(($) => $.httpSecrets.rotateTitle)}
        description={t(($) => $.httpSecrets.rotateBody)}
        cancelLabel={t(($) => $.httpSecrets.rotateCancel)}
        confirmLabel={t(($) => $.httpSecrets.rotate)}
        onConfirm={() => asked && confirm(asked)}
        isBusy={isBusy}
      />
      {secret && (
        <Dialog open onOpenChange={(isOpen) => !isOpen && setSecret(undefined)}>
          <DialogContent title={t(($) => $.httpSecrets.readyTitle)}>
            <div className="flex flex-col gap-5">
              <Alert tone="warning">{t(($) => $.httpSecrets.shownOnce)}</Alert>
              <SecretBox text={secret} copyLabel={t(($) => $.httpSecrets.copy)} />
              <DialogFooter>
                <Button variant="primary" onClick={() => setSecret(undefined)}>
                  {t(($) => $.httpSecrets.done)}
                </Button>
              </DialogFooter>
            </div>
          </DialogContent>
        </Dialog>
      )}
    </CardSection>
  )
}
