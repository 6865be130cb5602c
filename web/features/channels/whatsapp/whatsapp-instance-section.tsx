// What can be done to an instance: asking how it is, restarting it, letting its phone go.
import { LogOut, RefreshCw, RotateCw, Stethoscope } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type Step = 'refresh' | 'reboot' | 'logout'

/** Failures show as toasts; the state on the page is live. */
export function WhatsappInstanceSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const steps = {
    refresh: useAction(api.channels.whatsapp.refresh),
    reboot: useAction(api.channels.whatsapp.reboot),
    logout: useAction(api.channels.whatsapp.logout),
  }
  const [busy, setBusy] = useState<Step>()
  const [isAsking, setAsking] = useState(false)
  const isLinked = connection.accountState !== 'notAuthorized'

  async function take(step: Step) {
    setBusy(step)
    try {
      await steps[step]({ connectionId: connection._id })
      toast.success(t(($) => $.whatsappInstance.done[step]))
      setAsking(false)
    } catch {
      // the toast shows the error
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <CardSection title={t(($) => $.whatsappInstance.title)} description={t(($) => $.whatsappInstance.body)}>
      <div className="flex flex-wrap gap-2">
        <Button isBusy={busy === 'refresh'} onClick={() => take('refresh')}>
          <RefreshCw aria-hidden="true" />
          {t(($) => $.whatsappInstance.refresh)}
        </Button>
        <Link to={`${paths.whatsappProof}?connection=${connection._id}&tab=validation`} className={buttonClasses()}>
          <Stethoscope aria-hidden="true" />
          {t(($) => $.whatsappInstance.proof)}
        </Link>
        <Button isBusy={busy === 'reboot'} onClick={() => take('reboot')}>
          <RotateCw aria-hidden="true" />
          {t(($) => $.whatsappInstance.reboot)}
        </Button>
        {isLinked && (
          <Button className="text-destructive-soft-foreground" onClick={() => setAsking(true)}>
            <LogOut aria-hidden="true" />
            {t(($) => $.whatsappInstance.logout)}
          </Button>
        )}
      </div>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t(($) => $.whatsappInstance.logoutTitle, { name: connectionName(connection) })}
        description={t(($) => $.whatsappInstance.logoutBody)}
        cancelLabel={t(($) => $.whatsappInstance.logoutCancel)}
        confirmLabel={t(($) => $.whatsappInstance.logout)}
        onConfirm={() => take('logout')}
        isDestructive
        isBusy={busy === 'logout'}
      />
    </CardSection>
  )
}
