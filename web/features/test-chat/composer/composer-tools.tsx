// What stands beside the box of the test chat: a file, one's own voice, and who is writing.
import { Headset, Mic, Paperclip, Square } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import type { Attachments } from './use-attachments.ts'
import { useRecorder } from './use-recorder.ts'

type ComposerToolsProps = {
  attachments: Attachments
  /** Files that were chosen. */
  onFiles: (files: File[]) => void
  isOperator: boolean
  onOperatorChange: (isOperator: boolean) => void
}

/** An operator sends words alone, as in the inbox. */
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

function FileButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('test-chat')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t(($) => $.attach.label)}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = '' // the same file can be chosen again
        }}
      />
      <Button
        variant="ghost"
        size="icon"
        aria-label={t(($) => $.attach.label)}
        title={t(($) => $.attach.label)}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden="true" />
      </Button>
    </>
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
