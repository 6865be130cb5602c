// A secret on the screen, with the button that copies it.
import { CopyButton } from '#web/components/ui/copy-button.tsx'

type SecretBoxProps = { text: string; copyLabel: string }

/** To be selected or copied as a whole. */
export function SecretBox({ text, copyLabel }: SecretBoxProps) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-border bg-muted px-3 py-2">
      <code className="min-w-0 flex-1 select-all whitespace-pre-line break-all text-[0.8125rem]">{text}</code>
      <CopyButton text={text} label={copyLabel} />
    </div>
  )
}
