// Where the operator answers the customer, in words and with files.
import type { ReactNode } from 'react'
import { FILE_CHANNELS } from '#shared/channels.ts'
import type { Conversation } from '#shared/conversations.ts'
import { ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { AttachmentTray } from '#web/components/chat/attachment-tray.tsx'
import { Composer } from '#web/components/chat/composer.tsx'
import { DropArea } from '#web/components/chat/drop-area.tsx'
import { FileButton } from '#web/components/chat/file-button.tsx'
import { useAttachments } from '#web/components/chat/use-attachments.ts'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { useDraft } from '#web/lib/draft.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { useTellTyping } from './use-tell-typing.ts'

type ReplyBoxProps = {
  conversation: Conversation
  /** The conversation, over which files can be dropped too. */
  children: ReactNode
}

/** Says before sending that a reply silences the agent, and that files do not go through a channel that cannot carry them. */
export function ReplyBox({ conversation, children }: ReplyBoxProps) {
  const { t } = useTranslation('conversations')
  const reply = useMutation(api.conversations.reply, { hasToast: false })
  const [draft, setDraft] = useDraft(`conversation:${conversation._id}`)
  const tellTyping = useTellTyping(conversation)
  const attachments = useAttachments()
  const tickets = attachments.files.flatMap(({ state }) => (state.status === 'ready' ? [state.ticket] : []))
  const takesFiles = FILE_CHANNELS.includes(conversation.channel)
  function addFiles(files: File[]) {
    if (!takesFiles) {
      toast.error(t(($) => $.attach.refused))
      return
    }
    if (attachments.add(files) > 0) toast.error(t(($) => $.attach.tooMany, { count: ATTACHMENTS_PER_ANSWER }))
  }
  const hints = {
    active: t(($) => $.reply.hintActive),
    paused: t(($) => $.reply.hintPaused),
    ended: t(($) => $.reply.ended),
  }
  return (
    <DropArea onFiles={addFiles}>
      {children}
      <Composer
        label={t(($) => $.reply.label)}
        placeholder={t(($) => $.reply.placeholder)}
        sendLabel={t(($) => $.reply.send)}
        draft={draft}
        onDraftChange={(text) => {
          setDraft(text)
          tellTyping(text)
        }}
        onFiles={addFiles}
        extras={
          attachments.files.length === 0 ? 'none' : tickets.length === attachments.files.length ? 'ready' : 'waiting'
        }
        tray={<AttachmentTray attachments={attachments} />}
        tools={takesFiles && <FileButton onFiles={addFiles} />}
        onSend={async (text) => {
          await reply({ conversationId: conversation._id, text, attachments: tickets })
          attachments.clear()
        }}
        hint={
          <span className="flex flex-wrap items-center justify-between gap-2">
            {hints[conversation.status]}
            <Kbd keys={['Enter']} />
          </span>
        }
      />
    </DropArea>
  )
}
