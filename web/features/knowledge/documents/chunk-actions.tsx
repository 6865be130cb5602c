// Actions on one passage of a document: editing its text, and hiding it from agents.
import { Eye, EyeOff, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Chunk } from '#shared/knowledge/chunks.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { ChunkDialog } from './chunk-dialog.tsx'

/** Two buttons next to the passage. */
export function ChunkActions({ chunk }: { chunk: Chunk }) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.chunks.update)
  const [isEditing, setEditing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const number = chunk.chunkIndex + 1
  async function toggle() {
    setBusy(true)
    await update({ chunkId: chunk._id, patch: { isEnabled: !chunk.isEnabled } }).catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        onClick={() => setEditing(true)}
        aria-label={t(($) => $.chunk.edit, { number })}
      >
        <Pencil />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        isBusy={isBusy}
        onClick={() => void toggle()}
        aria-label={chunk.isEnabled ? t(($) => $.chunk.disable, { number }) : t(($) => $.chunk.enable, { number })}
      >
        {chunk.isEnabled ? <EyeOff /> : <Eye />}
      </Button>
      {isEditing && <ChunkDialog chunk={chunk} onClose={() => setEditing(false)} />}
    </>
  )
}
