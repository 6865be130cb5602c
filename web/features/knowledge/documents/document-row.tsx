// One document: its state, live, and what can be done in that state.
import { FileText, FileUp, RotateCw, Trash2, X } from 'lucide-react'
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatBytes, formatPercent, unbroken } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { RowMenu } from '../lists/row-menu.tsx'
import { MarkBadges, MarksButton } from '../marks/source-marks.tsx'
import { canBeReplaced, remediesOf } from './document.rules.ts'
import { DocumentWarnings } from './document-warnings.tsx'
import { EncodingChoice } from './encoding-choice.tsx'
import { ReadingActions } from './reading-actions.tsx'

type DocumentRowProps = {
  document: KnowledgeDocument
  onOpen: () => void
  onRemove: () => void
  onReplace: () => void
}

const TONES = { uploading: 'neutral', processing: 'primary', ready: 'success', error: 'destructive' } as const

/** The content of an item of a list. A document of which something is found opens its passages. */
export function DocumentRow(props: DocumentRowProps) {
  const { document, onOpen } = props
  const { t } = useTranslation('knowledge')
  const mayWrite = useMay('knowledge.write')
  const isBusy = document.status === 'uploading' || document.status === 'processing'
  return (
    <div className="relative flex items-start gap-3 px-4 py-3 hover:bg-muted/60">
      <FileText aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {isFound(document) ? (
            <button
              type="button"
              onClick={onOpen}
              aria-label={t(($) => $.documents.open, { name: document.name })}
              className="link-cover max-w-full truncate text-start font-medium"
            >
              {document.name}
            </button>
          ) : (
            <span className="max-w-full truncate font-medium">{document.name}</span>
          )}
          <Badge tone={needsChoice(document) ? 'warning' : TONES[document.status]} hasDot>
            {t(($) => $.status[needsChoice(document) ? 'choice' : document.status])}
          </Badge>
          <MarkBadges marks={document} />
        </div>
        <DocumentFacts document={document} />
        {isBusy && (
          <div className="mt-1 flex max-w-md items-center gap-3">
            <Progress
              value={document.progress}
              label={t(($) => $.documents.progress, {
                percent: formatPercent(document.progress),
                name: document.name,
              })}
            />
            {mayWrite && document.status === 'processing' && <CancelButton document={document} />}
          </div>
        )}
        {document.errorReason && (
          <p className="mt-1 max-w-prose text-[0.8125rem] text-destructive-soft-foreground">
            {t(($) => $.reason[document.errorReason ?? 'failed'], { ...(document.errorAt ?? { line: 1, column: 1 }) })}
          </p>
        )}
        <EarlierVersion document={document} />
        {mayWrite && <Remedies {...props} />}
        {mayWrite && document.encodingChoices && (
          <EncodingChoice document={document} choices={document.encodingChoices} />
        )}
        <DocumentWarnings warnings={document.warnings} />
        {mayWrite && <ReadingActions document={document} onRemove={props.onRemove} />}
      </div>
      {mayWrite && <MarksButton source={document} />}
      {mayWrite && <DocumentMenu {...props} />}
    </div>
  )
}

/** It is refused for no fault: a person has to say how it is read. */
function needsChoice({ errorReason }: KnowledgeDocument): boolean {
  return errorReason === 'encoding_unsure'
}

function isFound({ status, servesEarlier }: KnowledgeDocument): boolean {
  return status === 'ready' || servesEarlier
}

/** What agents answer from while, or since, the newest version is not there. */
function EarlierVersion({ document: { status, servesEarlier } }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  if (!servesEarlier) return null
  return (
    <p className="mt-1 max-w-prose text-[0.8125rem] text-muted-foreground">
      {t(($) => $.documents.servesEarlier[status === 'error' ? 'error' : 'processing'])}
    </p>
  )
}

function DocumentFacts({ document }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  const facts = [
    formatBytes(document.sizeBytes),
    document.pages !== null && t(($) => $.documents.pages, { count: document.pages }),
    document.sheets !== null && t(($) => $.documents.sheets, { count: document.sheets }),
    document.rows !== null && t(($) => $.documents.rows, { count: document.rows }),
    document.columns !== null && t(($) => $.documents.columns, { count: document.columns }),
    isFound(document) && t(($) => $.documents.chunks, { count: document.chunks }),
    isFound(document) && t(($) => $.documents.tokens, { count: document.tokens }),
  ].filter((fact) => fact !== false)
  return (
    <p className="text-[0.8125rem] text-muted-foreground">
      {facts.map(unbroken).join(' · ')} · <RelativeTime at={document.replacedAt ?? document.uploadedAt} />
    </p>
  )
}

function CancelButton({ document }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  const cancel = useMutation(api.knowledge.documents.cancel)
  return (
    <Button
      size="sm"
      variant="ghost"
      className="relative z-10"
      onClick={() => void cancel({ documentId: document._id }).catch(() => undefined)}
      aria-label={t(($) => $.documents.cancelProcessing, { name: document.name })}
    >
      <X aria-hidden="true" />
      {t(($) => $.documents.cancel)}
    </Button>
  )
}

/** What can be done about an error: each only where it can help. */
function Remedies({ document, onReplace }: DocumentRowProps) {
  const { t } = useTranslation('knowledge')
  const { retry, version } = remediesOf(document)
  if (!retry && !version) return null
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {retry && <RetryButton document={document} />}
      {version && (
        <Button
          size="sm"
          className="relative z-10"
          onClick={onReplace}
          aria-label={t(($) => $.documents.newVersionOf, { name: document.name })}
        >
          <FileUp aria-hidden="true" />
          {t(($) => $.documents.newVersion)}
        </Button>
      )}
    </div>
  )
}

function RetryButton({ document }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  const retry = useMutation(api.knowledge.documents.retry)
  return (
    <Button
      size="sm"
      className="relative z-10"
      onClick={() => void retry({ documentId: document._id }).catch(() => undefined)}
      aria-label={t(($) => $.documents.retryProcessing, { name: document.name })}
    >
      <RotateCw aria-hidden="true" />
      {t(($) => $.documents.retry)}
    </Button>
  )
}

function DocumentMenu({ document, onOpen, onRemove, onReplace }: DocumentRowProps) {
  const { t } = useTranslation('knowledge')
  const open = { label: t(($) => $.documents.view), Icon: FileText, onSelect: onOpen }
  const replace = { label: t(($) => $.documents.newVersion), Icon: FileUp, onSelect: onReplace }
  const remove = { label: t(($) => $.documents.remove), Icon: Trash2, onSelect: onRemove, isDestructive: true }
  return (
    <RowMenu
      label={t(($) => $.documents.actions, { name: document.name })}
      actions={[...(isFound(document) ? [open] : []), ...(canBeReplaced(document) ? [replace] : []), remove]}
    />
  )
}
