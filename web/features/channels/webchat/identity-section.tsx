// The secret by which a site signs who its visitors are.
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { SecretBox } from '../connection/secret-box.tsx'

/** Asks first, because an older secret ends; the new one is shown until the page is left, and never again. */
export function IdentitySection({ connectionId }: { connectionId: Id<'channelConnections'> }) {
  const { t } = useTranslation('channels')
  const create = useAction(api.channels.webchat.createIdentitySecret)
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <CardSection title={t(($) => $.webchatIdentity.title)} description={t(($) => $.webchatIdentity.body)}>
      <div className="flex flex-col items-start gap-4">
        <Button onClick={() => setAsking(true)}>{t(($) => $.webchatIdentity.create)}</Button>
        {secret && (
          <div className="flex w-full flex-col gap-3">
            <Alert tone="warning">{t(($) => $.webchatIdentity.shownOnce)}</Alert>
            <SecretBox text={secret} copyLabel={t(($) => $.webchatIdentity.copy)} />
          </div>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t(($) => $.webchatIdentity.askTitle)}
          description={t(($) => $.webchatIdentity.askBody)}
          cancelLabel={t(($) => $.webchatIdentity.cancel)}
          confirmLabel={t(($) => $.webchatIdentity.create)}
          onConfirm={async () => setSecret((await create({ connectionId })).secret)}
          onClose={() => setAsking(false)}
        />
      )}
    </CardSection>
  )
}
