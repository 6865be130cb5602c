// Another name or address for a program.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { HttpForm } from './http-form.tsx'

/** `?…` stands for what is behind the path of the address: it stays as long as the sign does. */
export function HttpAddressSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const update = useAction(api.channels.http.update, { hasToast: false })
  return (
    <CardSection title={t(($) => $.http.editTitle)} description={t(($) => $.http.editBody)}>
      <HttpForm
        defaults={{ name: connection.identifier, url: connection.address ?? '' }}
        onSubmit={async (entry) => {
          await update({ connectionId: connection._id, ...entry })
          toast.success(t(($) => $.http.saved))
        }}
      >
        {(isSubmitting) => (
          <Button type="submit" className="self-end" isBusy={isSubmitting}>
            {t(($) => $.http.save)}
          </Button>
        )}
      </HttpForm>
    </CardSection>
  )
}
