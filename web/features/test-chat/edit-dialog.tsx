// Edits one's own message: the conversation restarts from it.
import { useState } from 'react'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type EditDialogProps = {
  /** Null: closed. */
  message: Message | null
  onClose: () => void
  /** Rejects when it was not sent; the dialog then stays open and shows the reason. */
  onSend: (text: string) => Promise<void>
}

/** Warns of what will be lost. */
export function EditDialog({ message, onClose, onSend }: EditDialogProps) {
  const { t } = useTranslation('test-chat')
  return (
    <Dialog open={message !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.edit.title)} description={t(($) => $.edit.description)}>
        {message && <EditForm key={message._id} message={message} onClose={onClose} onSend={onSend} />}
      </DialogContent>
    </Dialog>
  )
}

function EditForm({ message, onClose, onSend }: EditDialogProps & { message: Message }) {
  const { t } = useTranslation('test-chat')
  const [text, setText] = useState(message.text)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isSomething = text.trim() !== '' || message.attachments.length > 0
  const canSend = isSomething && text.trim().length <= MESSAGE_TEXT_MAX && !isSending

  async function send() {
    if (!canSend) return
    setSending(true)
    try {
      await onSend(text.trim())
      onClose()
    } catch (error) {
      setFailure(describeError(error).message)
      setSending(false)
    }
  }
  useShortcut('send', () => void send())
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field label={t(($) => $.compose.label)} error={failure}>
        <Textarea value={text} onChange={(event) => setText(event.target.value)} className="max-h-72" autoFocus />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t(($) => $.edit.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isSending} disabled={!canSend}>
          {t(($) => $.edit.send)}
        </Button>
      </div>
    </form>
  )
}
