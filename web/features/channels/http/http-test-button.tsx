// Tries a program out with an event that is no message.
import { Zap } from 'lucide-react'
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** The result shows as a toast, in the log and in the state of the connection. */
export function HttpTestButton({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const test = useAction(api.channels.http.test)
  const [isBusy, setBusy] = useState(false)

  async function run() {
    setBusy(true)
    try {
      const { reason, httpStatus } = await test({ connectionId: connection._id })
      if (reason === null) toast.success(t(($) => $.http.testOk, { status: String(httpStatus) }))
      else if (httpStatus === 401 || httpStatus === 403) {
        toast.error(t(($) => $.http.testRefused, { status: String(httpStatus) }))
      } else toast.error(t(($) => $.http.testFailed, { reason }))
    } catch {
      // the toast shows the error
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button variant="primary" isBusy={isBusy} onClick={run}>
      <Zap aria-hidden="true" />
      {t(($) => $.http.test)}
    </Button>
  )
}
