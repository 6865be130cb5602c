// The tools next to the box of the test chat: files, voice recording, and the author of the message.
import { Headset, Mic, Square } from 'lucide-react'
import { FileButton } from '#web/components/chat/attachments/file-button.tsx'
import type { Attachments } from '#web/components/chat/attachments/use-attachments.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { useRecorder } from './use-recorder.ts'

type ComposerToolsProps = {
  attachments: Attachments
  /** Receives the chosen files. */
  onFiles: (files: File[]) => void
  isOperator: boolean
  onOperatorChange: (isOperator: boolean) => void
}

/** An operator can send text only, as in the inbox. */
export function ComposerTools({ attachments, onFiles, isOperator, onOperatorChange }: ComposerToolsProps) {
  const { t } = useTranslation('test-chat')
  return (
    <div className="flex shrink-0 items-center gap-1">
      {!isOperator && <FileButton onFiles={onFiles} />}
      {!isOperator && <VoiceButton attachments={attachments} />}
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={isOperator}
        title={t(($) => $.operator.hint)}
        className="aria-pressed:bg-success-soft aria-pressed:text-success-soft-foreground"
        onClick={() => onOperatorChange(!isOperator)}
      >
        <Headset aria-hidden="true" />
        {t(($) => $.operator.label)}
      </Button>
    </div>
  )
}

function VoiceButton({ attachments }: { attachments: Attachments }) {
  const { t } = useTranslation('test-chat')
  const recorder = useRecorder((file) => attachments.add([file], { isRecorded: true }))
  if (!recorder.isAble) return null
  const label = recorder.isRecording ? t(($) => $.voice.stop) : t(($) => $.voice.start)
  const press = () => {
    if (recorder.isRecording) recorder.stop()
    else recorder.start().catch(() => toast.error(t(($) => $.voice.refused)))
  }
  return (
    <Button
      variant="ghost"
      size={recorder.isRecording ? 'sm' : 'icon'}
      aria-label={label}
      title={label}
      className={recorder.isRecording ? 'text-destructive-soft-foreground' : ''}
      onClick={press}
    >
      {recorder.isRecording ? <Square aria-hidden="true" className="fill-current" /> : <Mic aria-hidden="true" />}
      {recorder.isRecording && <span aria-hidden="true">{t(($) => $.voice.recording)}</span>}
    </Button>
  )
}
