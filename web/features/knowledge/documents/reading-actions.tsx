// What a person can say to the warnings of a document: read what is hidden too, keep a second copy.
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

type ReadingActionsProps = { document: KnowledgeDocument; onRemove: () => void }

/** Renders nothing for a document whose warnings need no action. */
export function ReadingActions({ document, onRemove }: ReadingActionsProps) {
  const isHidden = document.includesHidden || document.warnings.some(({ kind }) => kind === 'hidden')
  const isCopy = document.warnings.some(({ kind }) => kind === 'same_file')
  if (document.status !== 'ready' || (!isHidden && !isCopy)) return null
  return (
    <div className="relative z-10 mt-2 flex flex-wrap gap-2">
      {isHidden && <HiddenSwitch document={document} />}
      {isCopy && <CopyChoice document={document} onRemove={onRemove} />}
    </div>
  )
}

function HiddenSwitch({ document: { _id, name, includesHidden } }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  const include = useMutation(api.knowledge.documents.includeHidden)
  return (
    <Button
      size="sm"
      onClick={() => void include({ documentId: _id, includesHidden: !includesHidden }).catch(() => undefined)}
      aria-label={t(($) => $.hidden[includesHidden ? 'leaveOutOf' : 'includeOf'], { name })}
    >
      {t(($) => $.hidden[includesHidden ? 'leaveOut' : 'include'])}
    </Button>
  )
}

function CopyChoice({ document: { _id, name }, onRemove }: ReadingActionsProps) {
  const { t } = useTranslation('knowledge')
  const keep = useMutation(api.knowledge.documents.keepBoth)
  return (
    <>
      <Button size="sm" onClick={onRemove} aria-label={t(($) => $.copy.removeNamed, { name })}>
        {t(($) => $.copy.remove)}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        onClick={() => void keep({ documentId: _id }).catch(() => undefined)}
        aria-label={t(($) => $.copy.keepNamed, { name })}
      >
        {t(($) => $.copy.keep)}
      </Button>
    </>
  )
}
