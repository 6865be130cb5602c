// Where the operator answers the customer, with text and files.
import { MessageSquareText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { manifestOf } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'
import type { Conversation, MessageSource } from '#shared/messaging/conversations.ts'
import type { CannedReply } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { AttachmentsPanel } from '#web/components/chat/attachments/attachments-panel.tsx'
import { DropArea } from '#web/components/chat/attachments/drop-area.tsx'
import { FileButton } from '#web/components/chat/attachments/file-button.tsx'
import { useAttachments } from '#web/components/chat/attachments/use-attachments.ts'
import { Composer } from '#web/components/chat/composer/composer.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { lastingDrafts } from '#web/lib/browser/draft.ts'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { ReadOnlyNote, useMay } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'
import { ColleaguesNote } from '../thread/colleagues-note.tsx'
import { WindowNote } from '../thread/window-note.tsx'
import { type Colleagues, useColleagues } from '../use-colleagues.ts'
import { HelperMenu, HelperResult } from './helper-menu.tsx'
import { NoteBox } from './note-box.tsx'
import { cannedSuggestions } from './reply-suggestions.ts'
import type { WritingKind } from './sending.ts'
import { useHelper } from './use-helper.ts'
import { useTellTyping } from './use-tell-typing.ts'
import { useWriting, writingKeys } from './use-writing.ts'
import { WritingSwitch } from './writing-switch.tsx'

type ReplyBoxProps = {
  conversation: Conversation
  onOpenSource: (source: MessageSource, answer: string) => void
  /** The conversation, which is also a drop target for files. */
  children: ReactNode
}

/** The boxes for those who may answer, unless the conversation was deleted; others read it, and see why they cannot. Drafts stay where they are kept. */
export function WritingBox(props: ReplyBoxProps) {
  const { t } = useTranslation('conversations')
  const mayWrite = useMay('inbox.write')
  const isDeleted = props.conversation.folder === 'deleted'
  if (mayWrite && !isDeleted) return <OpenBox {...props} />
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {props.children}
      <div className="p-4">
        {mayWrite ? (
          <p role="status" className="rounded-lg bg-muted px-4 py-3 text-muted-foreground text-sm">
            {t(($) => $.reply.deleted)}
          </p>
        ) : (
          <ReadOnlyNote />
        )}
      </div>
    </div>
  )
}

/** Wraps the conversation, where files can be dropped while a reply is written. Alt+P and Alt+L focus the reply and the note box. */
function OpenBox({ conversation, onOpenSource, children }: ReplyBoxProps) {
  const { _id: me } = useCurrentUser()
  const [{ isNote, focusAsked }, setWriting] = useState(() => ({
    isNote: isNoteBegun(me, conversation),
    focusAsked: 0,
  }))
  const colleagues = useColleagues(conversation._id) // announced in note mode too: the conversation is open either way
  const turnTo = (kind: WritingKind) =>
    setWriting((now) => ({ isNote: kind === 'note', focusAsked: now.focusAsked + 1 }))
  useShortcut('writeNote', () => turnTo('note'))
  useShortcut('writeReply', () => turnTo('reply'))
  if (!isNote) {
    return (
      <ReplyBox
        conversation={conversation}
        colleagues={colleagues}
        focusAsked={focusAsked}
        onOpenSource={onOpenSource}
        onNote={() => turnTo('note')}
      >
        {children}
      </ReplyBox>
    )
  }
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {children}
      <NoteBox conversation={conversation} focusAsked={focusAsked} onReply={() => turnTo('reply')} />
    </div>
  )
}

/** A draft of a note exists, and none of a reply. */
function isNoteBegun(me: Id<'users'>, conversation: Conversation): boolean {
  const isBegun = (kind: WritingKind) =>
    writingKeys(kind, me, conversation).some((key) => lastingDrafts.read(key) !== '')
  return isBegun('note') && !isBegun('reply')
}

/** Warns before sending that a reply pauses the agent, and that the channel cannot carry some files. */
function ReplyBox({
  conversation,
  colleagues,
  focusAsked,
  onOpenSource,
  onNote,
  children,
}: ReplyBoxProps & { colleagues: Colleagues; focusAsked: number; onNote: () => void }) {
  const { t, i18n } = useTranslation('conversations')
  const canned: CannedReply[] = useQuery(api.conversations.canned.list, {}) ?? []
  const reply = useMutation(api.conversations.reply, { hasToast: false })
  const { draft, setDraft, send } = useWriting('reply', conversation)
  const helper = useHelper({ conversation, draft, onDraftChange: setDraft })
  const tellTyping = useTellTyping(conversation)
  const attachments = useAttachments()
  const tickets = attachments.files.flatMap(({ state }) => (state.status === 'ready' ? [state.ticket] : []))
  const taken = manifestOf(conversation.channel)?.files ?? 'none'
  function addFiles(files: File[]) {
    if (taken === 'none') {
      toast.error(t(($) => $.attach.refused))
      return
    }
    if (taken instanceof RegExp && !files.every(({ type }) => taken.test(type))) {
      toast.error(t(($) => $.attach.picturesOnly))
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
        focusAsked={focusAsked}
        typedFor={conversation._id}
        label={t(($) => $.reply.label)}
        placeholder={t(($) => $.reply.placeholder)}
        sendLabel={t(($) => $.reply.send)}
        draft={draft}
        onDraftChange={(change) => {
          setDraft(change)
          if (typeof change !== 'string') return
          tellTyping(change)
          if (change !== '') colleagues.onTyping()
        }}
        sign={canned.length > 0 ? { text: '/', label: t(($) => $.canned.insert), icon: MessageSquareText } : undefined}
        suggest={cannedSuggestions(canned, {
          label: t(($) => $.canned.list),
          language: i18n.language,
          names: { customer: conversation.customer?.name ?? '', agent: conversation.agentName },
        })}
        note={
          <>
            <ColleaguesNote colleagues={colleagues} />
            <WindowNote conversation={conversation} />
            <HelperResult helper={helper} onOpenSource={onOpenSource} />
          </>
        }
        onFiles={addFiles}
        extras={
          attachments.files.length === 0 ? 'none' : tickets.length === attachments.files.length ? 'ready' : 'waiting'
        }
        tray={<AttachmentsPanel attachments={attachments} />}
        tools={
          <span className="flex shrink-0 items-center gap-1">
            {taken !== 'none' && <FileButton onFiles={addFiles} />}
            <WritingSwitch isNote={false} onChange={onNote} />
            <HelperMenu helper={helper} draft={draft} />
          </span>
        }
        onSend={async (text) => {
          await send(text, () => reply({ conversationId: conversation._id, text, attachments: tickets }))
          attachments.clear()
          helper.dismiss()
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
