// What can be done with an endpoint: a test event, changes, another secret, off, deletion.
import { KeyRound, MoreHorizontal, Pencil, Power, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { DeleteDialog, RotateDialog } from './endpoint-questions.tsx'

type Asked = 'edit' | 'rotate' | 'delete' | null

/** A button for the test, and a menu. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  return (
    <>
      {endpoint.state === 'on' && <TestButton endpoint={endpoint} />}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="sm" aria-label={t(($) => $.more)}>
            <MoreHorizontal aria-hidden="true" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem onSelect={() => setAsked('edit')}>
            <Pencil aria-hidden="true" />
            {t(($) => $.edit)}
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsked('rotate')}>
            <KeyRound aria-hidden="true" />
            {t(($) => $.rotate)}
          </DropdownMenuItem>
          {endpoint.state === 'on' && <SwitchOffItem endpoint={endpoint} />}
          <DropdownMenuItem isDestructive onSelect={() => setAsked('delete')}>
            <Trash2 aria-hidden="true" />
            {t(($) => $.delete)}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {asked === 'edit' && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {asked === 'rotate' && <RotateDialog endpoint={endpoint} onClose={close} />}
      {asked === 'delete' && <DeleteDialog endpoint={endpoint} onClose={close} />}
    </>
  )
}

function TestButton({ endpoint: { _id: endpointId } }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const sendTest = useMutation(api.webhooks.sendTest)
  const [isBusy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    const isSent = await sendTest({ endpointId }).then(
      () => true,
      () => false, // reported in a toast
    )
    setBusy(false)
    if (isSent) toast.success(t(($) => $.testSent))
  }
  return (
    <Button size="sm" isBusy={isBusy} onClick={() => void send()}>
      <Send aria-hidden="true" />
      {t(($) => $.sendTest)}
    </Button>
  )
}

function SwitchOffItem({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const setOn = useMutation(api.webhooks.setOn)
  return (
    <DropdownMenuItem
      onSelect={() => void setOn({ endpointId: endpoint._id, isOn: false }).catch(() => null)} // reported in a toast
    >
      <Power aria-hidden="true" />
      {t(($) => $.switchOff)}
    </DropdownMenuItem>
  )
}
