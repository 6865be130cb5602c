// Exports one or many conversations in a chosen format. One is saved at once, many are written in the background.
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import { EXPORT_FORMATS, type ExportFormat } from '#shared/messaging/exports.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation } from '#web/lib/server/convex.ts'
import { saveFile } from '#web/lib/server/use-file.ts'
import { ownTimeZone } from '#web/lib/time-zone.ts'
import { toast } from '#web/lib/toast.ts'
import { findAll } from '../list/find-all.ts'

/** `words`: the search whose results are exported; null: no search. */
export type Exported =
  | { conversationId: Id<'conversations'> }
  | { filter: ConversationFilter; words: string | null }
  | { filter: ConversationFilter; conversationIds: Id<'conversations'>[] }

type ExportDialogProps = { exported: Exported; onClose: () => void }

/** Open while mounted. */
export function ExportDialog({ exported, onClose }: ExportDialogProps) {
  const { t } = useTranslation('exports')
  const [format, setFormat] = useState<ExportFormat>('txt')
  const [isBusy, setBusy] = useState(false)
  const run = useExport(exported)
  const isOne = 'conversationId' in exported
  async function start() {
    setBusy(true)
    try {
      await run(format)
      onClose()
    } catch (error) {
      toast.failure(error)
      setBusy(false)
    }
  }
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={isOne ? t(($) => $.one) : t(($) => $.many)} description={useDescription(exported)}>
        <RadioGroup
          label={t(($) => $.format)}
          value={format}
          onValueChange={setFormat}
          options={EXPORT_FORMATS.map((value) => ({
            value,
            label: t(($) => $.formats[value]),
            hint: t(($) => $.hints[value]),
          }))}
        />
        <DialogFooter>
          <Button onClick={onClose}>{t(($) => $.cancelDialog)}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={() => void start()}>
            {isOne ? t(($) => $.save) : t(($) => $.start)}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function useDescription(exported: Exported): string {
  const { t } = useTranslation('exports')
  if ('conversationId' in exported) return t(($) => $.whole)
  if ('conversationIds' in exported) return t(($) => $.chosen, { count: exported.conversationIds.length })
  return exported.words ? t(($) => $.found) : t(($) => $.filtered)
}

/** Rejects with the error to show. */
function useExport(exported: Exported): (format: ExportFormat) => Promise<void> {
  const { t } = useTranslation('exports')
  const create = useMutation(api.conversations.exports.create, { hasToast: false })
  const search = useAction(api.conversations.search, { hasToast: false })
  return async (format) => {
    const manner = { format, language: currentLanguage(), timeZone: ownTimeZone().timeZone ?? 'UTC' }
    if ('conversationId' in exported) {
      const { conversationId } = exported
      return saveFile(`/api/files/conversations/${conversationId}?${new URLSearchParams(manner)}`)
    }
    let conversationIds = 'conversationIds' in exported ? exported.conversationIds : undefined
    if ('words' in exported && exported.words) {
      const { words, filter } = exported
      conversationIds = await findAll((cursor) => search({ query: words, ...filter, cursor }))
      if (conversationIds.length === 0) return void toast.error(t(($) => $.nothing))
    }
    await create({ filter: exported.filter, ...(conversationIds && { conversationIds }), ...manner })
    toast.success(t(($) => $.started))
  }
}
