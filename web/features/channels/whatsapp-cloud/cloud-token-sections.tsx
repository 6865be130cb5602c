// Giving a number of the Cloud API another token, or its app's new secret.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { APP_SECRET_PATTERN, META_TOKEN_PATTERN } from '#shared/channels/cloud.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { TokenSection } from '../connection/token-section.tsx'

/** Meta checks both. */
export function CloudTokenSections({ connection: { _id: connectionId } }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const rotate = useAction(api.channels.whatsappCloud.rotate, { hasToast: false })
  const replace = t(($) => $.cloudToken.replace)
  return (
    <>
      <TokenSection
        texts={{
          title: t(($) => $.cloudToken.title),
          body: t(($) => $.cloudToken.body),
          label: t(($) => $.cloudToken.label),
          replace,
          replaced: t(($) => $.cloudToken.replaced),
          hint: t(($) => $.cloudSetup.tokenHint),
          required: t(($) => $.cloudSetup.tokenFormat),
          format: t(($) => $.cloudSetup.tokenFormat),
        }}
        pattern={META_TOKEN_PATTERN}
        replace={(accessToken) => rotate({ connectionId, accessToken })}
      />
      <TokenSection
        texts={{
          title: t(($) => $.cloudSecret.title),
          body: t(($) => $.cloudSecret.body),
          label: t(($) => $.cloudSecret.label),
          replace,
          replaced: t(($) => $.cloudSecret.replaced),
          hint: t(($) => $.cloudSetup.secretHint),
          required: t(($) => $.cloudSecret.required),
          format: t(($) => $.cloudSetup.secretFormat),
        }}
        pattern={APP_SECRET_PATTERN}
        replace={(appSecret) => rotate({ connectionId, appSecret })}
      />
    </>
  )
}
