// Giving an instance another token.
import { type ChannelConnection, INSTANCE_TOKEN_PATTERN } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { TokenSection } from '../connection/token-section.tsx'

/** GREEN-API checks the new token. */
export function WhatsappTokenSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const rotate = useAction(api.channels.whatsapp.rotate, { hasToast: false })
  return (
    <TokenSection
      texts={{
        title: t(($) => $.whatsappToken.title),
        body: t(($) => $.whatsappToken.body),
        label: t(($) => $.whatsappToken.label),
        replace: t(($) => $.whatsappToken.replace),
        replaced: t(($) => $.whatsappToken.replaced),
        hint: t(($) => $.whatsappSetup.tokenHint),
        required: t(($) => $.whatsappSetup.tokenRequired),
        format: t(($) => $.whatsappSetup.tokenFormat),
      }}
      pattern={INSTANCE_TOKEN_PATTERN}
      replace={(apiToken) => rotate({ connectionId: connection._id, apiToken })}
    />
  )
}
