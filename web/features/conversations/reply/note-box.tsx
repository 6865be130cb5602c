// The box for notes within the team, which never reach a customer.
import { AtSign } from 'lucide-react'
import { NOTE_MENTIONS_MAX } from '#shared/limits.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { Composer } from '#web/components/chat/composer/composer.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { mentionedIn, mentionSuggestions } from './reply-suggestions.ts'
import { useWriting } from './use-writing.ts'
import { WritingSwitch } from './writing-switch.tsx'

type NoteBoxProps = {
  conversation: Conversation
  /** Incremented to move the focus into the box. */
  focusAsked?: number
  onReply: () => void
}

/** Looks unlike the reply box. An at sign suggests colleagues, without the author. */
export function NoteBox({ conversation, focusAsked = 0, onReply }: NoteBoxProps) {
  const { t } = useTranslation('conversations')
  const add = useMutation(api.conversations.notes.add, { hasToast: false })
  const { _id: me } = useCurrentUser()
  const members: Member[] = useQuery(api.organizations.members, {}) ?? []
  const colleagues = members.filter(({ _id }) => _id !== me)
  const { draft, setDraft, send } = useWriting('note', conversation)
  return (
    <Composer
      isNote
      focusAsked={focusAsked}
      typedFor={conversation._id}
      label={t(($) => $.note.title)}
      placeholder={t(($) => $.note.placeholder)}
      sendLabel={t(($) => $.note.add)}
      draft={draft}
      onDraftChange={setDraft}
      sign={colleagues.length > 0 ? { text: '@', label: t(($) => $.note.mention), icon: AtSign } : undefined}
      suggest={mentionSuggestions(
        colleagues,
        t(($) => $.note.members),
      )}
      tools={<WritingSwitch isNote onChange={onReply} />}
      hint={t(($) => $.note.hint)}
      onSend={async (text) => {
        const mentions = mentionedIn(text, colleagues).slice(0, NOTE_MENTIONS_MAX)
        await send(text, () => add({ conversationId: conversation._id, text, mentions }))
      }}
    />
  )
}
