// Giving an account of a messenger other secrets, when the old ones have leaked or were revoked.
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { EntryFields, enteredIn, useEntryForm } from './entry-fields.tsx'

/** The provider checks them; what is wrong shows under the fields. */
export function SecretsSection({ channel, connection }: { channel: MessengerChannel; connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const rotate = useAction(api.channels.messengers.rotate, { hasToast: false })
  const { form, fields } = useEntryForm(channel, true)
  const [failure, setFailure] = useState<string>()
  const submit = form.handleSubmit(async (entries) => {
    const entered = enteredIn(entries)
    if (Object.keys(entered).length === 0) return setFailure(t(($) => $.messenger.nothingEntered))
    setFailure(undefined)
    try {
      await rotate({ connectionId: connection._id, entered })
      form.reset()
      toast.success(t(($) => $.messenger.replaced))
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <CardSection title={t(($) => $.messenger.secretsTitle)} description={t(($) => $.messenger.secretsBody)}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <EntryFields channel={channel} form={form} fields={fields} isChange />
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" className="self-start" isBusy={form.formState.isSubmitting}>
          {t(($) => $.messenger.replace)}
        </Button>
      </form>
    </CardSection>
  )
}
