// The button by which files are chosen.
import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Several can be chosen at once, and the same one again. */
export function FileButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('conversations')
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
