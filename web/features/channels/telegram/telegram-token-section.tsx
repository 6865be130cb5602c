// Giving a bot another token.
import { BOT_TOKEN_PATTERN, type ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { TokenSection } from '../connection/token-section.tsx'

/** Telegram checks the new token. */
export function TelegramTokenSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const rotate = useAction(api.channels.telegram.rotate, { hasToast: false })
  return (
    <TokenSection
      texts={{
        title: t(($) => $.telegramToken.title),
        body: t(($) => $.telegramToken.body),
        label: t(($) => $.telegramToken.label),
        replace: t(($) => $.telegramToken.replace),
        replaced: t(($) => $.telegramToken.replaced),
        hint: t(($) => $.setup.tokenHint),
        required: t(($) => $.setup.tokenRequired),
        format: t(($) => $.setup.tokenFormat),
      }}
      placeholder={t(($) => $.setup.tokenPlaceholder)}
      pattern={BOT_TOKEN_PATTERN}
      replace={(botToken) => rotate({ connectionId: connection._id, botToken })}
    />
  )
}
