// The dialog that edits the text of one passage.
import { useState } from 'react'
import type { Chunk } from '#shared/knowledge/chunks.ts'
import { CHUNK_CONTENT_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Open while mounted. Mod+Enter and Mod+S save. */
export function ChunkDialog({ chunk, onClose }: { chunk: Chunk; onClose: () => void }) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.chunks.update)
  const [content, setContent] = useState(chunk.content)
  const [isBusy, setBusy] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const error = errorOf(content)
  useShortcut('send', () => void save())
  useShortcut('save', () => void save())

  async function save() {
    setChecked(true)
    if (isBusy || error) return
    if (content.trim() === chunk.content) return onClose()
    setBusy(true)
    try {
      await update({ chunkId: chunk._id, patch: { content } })
      toast.success(t(($) => $.chunk.saved))
      onClose()
    } catch {
      setBusy(false) // reported in a toast; the text is kept
    }
  }

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.chunk.title, { number: chunk.chunkIndex + 1 })}
        description={t(($) => $.chunk.hint)}
        className="max-w-2xl"
      >
        <form
          noValidate
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <Field
            label={t(($) => $.chunk.content)}
            error={isChecked && error ? t(($) => $.chunk[error], { count: CHUNK_CONTENT_MAX }) : undefined}
            counter={{ used: content.length, max: CHUNK_CONTENT_MAX }}
            isRequired
          >
            <Textarea
              rows={10}
              className="max-h-96 min-h-40"
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
          </Field>
          <DialogFooter>
            <Button onClick={onClose}>{t(($) => $.notes.cancel)}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy}>
              {t(($) => $.chunk.save)}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function errorOf(content: string): 'required' | 'tooLong' | null {
  if (content.trim() === '') return 'required'
  return content.trim().length > CHUNK_CONTENT_MAX ? 'tooLong' : null
}
