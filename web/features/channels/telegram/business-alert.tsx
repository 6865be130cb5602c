// Says of each business account whose owner has taken the bot off, or does not let it answer, what happened and what to do.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Nothing for accounts in whose names the bot answers. Live. */
export function BusinessAlert({ connection: { businesses, identifier } }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  return businesses
    .filter(({ isOn, mayReply }) => !isOn || !mayReply)
    .map(({ ownerId, ownerName: owner, isOn }) => {
      const what = isOn ? 'noRight' : 'off'
      return (
        <Alert key={ownerId} tone="warning" title={t(($) => $.telegramBusiness[what].title, { owner })}>
          <p>{t(($) => $.telegramBusiness[what].body)}</p>
          <p className="mt-1">{t(($) => $.telegramBusiness[what].help, { bot: `@${identifier}` })}</p>
        </Alert>
      )
    })
}
