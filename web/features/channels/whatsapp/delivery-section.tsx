// How messages of a number come in: brought by GREEN-API, or asked for.
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

const WAYS = ['webhook', 'polling'] as const

/** A failure shows as a toast, and the way stays as it is. */
export function WhatsappDeliverySection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const setDelivery = useAction(api.channels.whatsapp.setDelivery)
  const [chosen, setChosen] = useState(connection.delivery)
  const [isBusy, setBusy] = useState(false)
  const options = WAYS.map((value) => ({
    value,
    label: t(($) => $.delivery[value]),
    hint: t(($) => $.whatsappDelivery[value]),
  }))

  async function save() {
    setBusy(true)
    try {
      await setDelivery({ connectionId: connection._id, delivery: chosen })
      toast.success(t(($) => $.whatsappDelivery.saved))
    } catch {
      setChosen(connection.delivery) // the toast shows the error
    } finally {
      setBusy(false)
    }
  }

  return (
    <CardSection title={t(($) => $.whatsappDelivery.title)} description={t(($) => $.whatsappDelivery.body)}>
      <div className="flex flex-col gap-4">
        <RadioGroup
          label={t(($) => $.whatsappDelivery.title)}
          value={chosen}
          onValueChange={setChosen}
          options={options}
        />
        <Button
          className="self-start"
          isBusy={isBusy}
          disabled={chosen === connection.delivery}
          onClick={() => void save()}
        >
          {t(($) => $.whatsappDelivery.save)}
        </Button>
      </div>
    </CardSection>
  )
}
