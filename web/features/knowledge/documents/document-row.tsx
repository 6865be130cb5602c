// One document: its state, live, and what can be done in that state.
import { EllipsisVertical, FileText, RotateCw, Trash2, X } from 'lucide-react'
import type { KnowledgeDocument } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { formatBytes, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { DocumentWarnings } from './document-warnings.tsx'

type DocumentRowProps = { document: KnowledgeDocument; onOpen: () => void; onRemove: () => void }

const TONES = { uploading: 'neutral', processing: 'primary', ready: 'success', error: 'destructive' } as const

/** A ready document opens its passages. */
export function DocumentRow({ document, onOpen, onRemove }: DocumentRowProps) {
  const { t } = useTranslation('knowledge')
  const isReady = document.status === 'ready'
  const isBusy = document.status === 'uploading' || document.status === 'processing'
  return (
    <li className="relative flex items-start gap-3 px-4 py-3 hover:bg-muted/60">
      <FileText aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {isReady ? (
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
          <Badge tone={TONES[document.status]} hasDot>
            {t(($) => $.status[document.status])}
          </Badge>
        </div>
        <DocumentFacts document={document} />
        {isBusy && (
          <Progress
            value={document.progress}
            label={t(($) => $.documents.progress, {
              percent: formatPercent(document.progress),
              name: document.name,
            })}
            className="mt-2 max-w-md"
          />
        )}
        {document.errorReason && (
          <p className="mt-1 max-w-prose text-[0.8125rem] text-destructive-soft-foreground">
            {t(($) => $.reason[document.errorReason ?? 'failed'])}
          </p>
        )}
        <DocumentWarnings warnings={document.warnings} />
      </div>
      <div className="relative z-10 flex shrink-0 items-center gap-1">
        <DocumentProcess document={document} />
        <DocumentMenu document={document} onOpen={onOpen} onRemove={onRemove} />
      </div>
    </li>
  )
}

function DocumentFacts({ document }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  const facts = [
    formatBytes(document.sizeBytes),
    document.pages !== null && t(($) => $.documents.pages, { count: document.pages }),
    document.status === 'ready' && t(($) => $.documents.chunks, { count: document.chunks }),
    document.status === 'ready' && t(($) => $.documents.tokens, { count: document.tokens }),
  ].filter((fact) => fact !== false)
  return (
    <p className="text-[0.8125rem] text-muted-foreground">
      {facts.join(' · ')} · <RelativeTime at={document.uploadedAt} />
    </p>
  )
}

/** Cancel while it is processed, try again after it failed. */
function DocumentProcess({ document }: { document: KnowledgeDocument }) {
  const { t } = useTranslation('knowledge')
  const cancel = useMutation(api.knowledge.documents.cancel)
  const retry = useMutation(api.knowledge.documents.retry)
  const documentId = document._id
  if (document.status === 'error') {
    return (
      <Button size="sm" onClick={() => void retry({ documentId }).catch(() => undefined)}>
        <RotateCw aria-hidden="true" />
        {t(($) => $.documents.retry)}
      </Button>
    )
  }
  if (document.status !== 'processing') return null
  return (
    <Button
      size="sm"
      variant="ghost"
      onClick={() => void cancel({ documentId }).catch(() => undefined)}
      aria-label={t(($) => $.documents.cancelProcessing, { name: document.name })}
    >
      <X aria-hidden="true" />
      {t(($) => $.documents.cancel)}
    </Button>
  )
}

function DocumentMenu({ document, onOpen, onRemove }: DocumentRowProps) {
  const { t } = useTranslation('knowledge')
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label={t(($) => $.documents.actions, { name: document.name })}>
          <EllipsisVertical />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {document.status === 'ready' && (
          <DropdownMenuItem onSelect={onOpen}>
            <FileText aria-hidden="true" />
            {t(($) => $.documents.view)}
          </DropdownMenuItem>
        )}
        <DropdownMenuItem isDestructive onSelect={onRemove}>
          <Trash2 aria-hidden="true" />
          {t(($) => $.documents.remove)}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
