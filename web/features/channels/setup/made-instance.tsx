// The short way to an instance: this installation makes it.
import { useEffect, useState } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'

type MadeInstanceProps = { agent: AgentSummary; onConnected: (connection: ChannelConnection) => void }

/** Nothing where instances are not made. */
export function MadeInstance({ agent, onConnected }: MadeInstanceProps) {
  const { t } = useTranslation('channels')
  const makesInstances = useAction(api.channels.whatsapp.makesInstances, { hasToast: false })
  const createInstance = useAction(api.channels.whatsapp.createInstance, { hasToast: false })
  const [isOffered, setOffered] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    makesInstances({}).then(setOffered, () => undefined) // the fields below are always there
  }, [makesInstances])
  if (!isOffered) return null

  async function make() {
    setBusy(true)
    setFailure(undefined)
    try {
      onConnected(await createInstance({ agentId: agent._id }))
    } catch (error) {
      setFailure(describeError(error).message)
      setBusy(false)
    }
  }

  return (
    <div className="flex flex-col items-start gap-3">
      <Button variant="primary" isBusy={isBusy} onClick={() => void make()}>
        {t(($) => $.whatsappSetup.make)}
      </Button>
      <p className="text-muted-foreground">{t(($) => $.whatsappSetup.makeHint)}</p>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <p className="font-medium">{t(($) => $.whatsappSetup.makeOr)}</p>
    </div>
  )
}
