// Where the operator answers the customer.
import type { Conversation } from '#shared/conversations.ts'
import { api } from '#web/api.ts'
import { Composer } from '#web/components/chat/composer.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { useDraft } from '#web/lib/draft.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Says before sending that a reply silences the agent. */
export function ReplyBox({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const reply = useMutation(api.conversations.reply, { hasToast: false })
  const [draft, setDraft] = useDraft(`conversation:${conversation._id}`)
  const hints = {
    active: t(($) => $.reply.hintActive),
    paused: t(($) => $.reply.hintPaused),
    ended: t(($) => $.reply.ended),
  }
  return (
    <Composer
      label={t(($) => $.reply.label)}
      placeholder={t(($) => $.reply.placeholder)}
      sendLabel={t(($) => $.reply.send)}
      draft={draft}
      onDraftChange={setDraft}
      onSend={async (text) => {
        await reply({ conversationId: conversation._id, text })
      }}
      hint={
        <span className="flex flex-wrap items-center justify-between gap-2">
          {hints[conversation.status]}
          <Kbd keys={['Enter']} />
        </span>
      }
    />
  )
}
