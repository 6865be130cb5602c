// The versions of the template, newest first: who wrote them, how they differ from the one in use, and back to them.
import { useState } from 'react'
import type { TemplateVersion } from '#shared/organizations/prompt-template.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { TextDiff } from '#web/components/ui/text-diff.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, usePaginatedQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

const PAGE_SIZE = 20

type Asked = { what: 'compare' | 'restore'; version: TemplateVersion }

/** Live. */
export function VersionsSection({ current }: { current: TemplateVersion | null }) {
  const { t } = useTranslation('admin')
  const { results, status, loadMore } = usePaginatedQuery(
    api.admin.template.versions,
    {},
    { initialNumItems: PAGE_SIZE },
  )
  const [asked, setAsked] = useState<Asked | null>(null)
  const versions: TemplateVersion[] = results
  const close = () => setAsked(null)
  return (
    <CardSection title={t(($) => $.template.versions)}>
      {status !== 'LoadingFirstPage' && versions.length === 0 && (
        <p className="text-muted-foreground">{t(($) => $.template.noVersions)}</p>
      )}
      <ol className="divide-y divide-border">
        {versions.map((version) => (
          <VersionRow
            key={version.number}
            version={version}
            isCurrent={version.number === current?.number}
            onAsk={(what) => setAsked({ what, version })}
          />
        ))}
      </ol>
      {status === 'CanLoadMore' && (
        <Button isForReading onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.more)}
        </Button>
      )}
      {asked?.what === 'compare' && <CompareDialog version={asked.version} current={current} onClose={close} />}
      {asked?.what === 'restore' && <RestoreDialog version={asked.version} onClose={close} />}
    </CardSection>
  )
}

type RowProps = { version: TemplateVersion; isCurrent: boolean; onAsk: (what: Asked['what']) => void }

function VersionRow({ version: { number, author, restoredFrom, createdAt }, isCurrent, onAsk }: RowProps) {
  const { t } = useTranslation('admin')
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t(($) => $.template.version, { number })}
          {isCurrent && <Badge tone="success">{t(($) => $.template.inUse)}</Badge>}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {author ?? t(($) => $.goneAuthor)}, <DateTime at={createdAt} />
          {restoredFrom !== null && ` · ${t(($) => $.template.restoredFrom, { number: restoredFrom })}`}
        </p>
      </div>
      {!isCurrent && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" isForReading onClick={() => onAsk('compare')}>
            {t(($) => $.template.compare)}
          </Button>
          <Button size="sm" onClick={() => onAsk('restore')}>
            {t(($) => $.template.restore)}
          </Button>
        </div>
      )}
    </li>
  )
}

type CompareProps = { version: TemplateVersion; current: TemplateVersion | null; onClose: () => void }

function CompareDialog({ version, current, onClose }: CompareProps) {
  const { t } = useTranslation('admin')
  const title = t(($) => $.template.compareTitle, { from: version.number, to: current?.number ?? version.number })
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={title}>
        <TextDiff before={version.text} after={current?.text ?? ''} label={title} />
      </DialogContent>
    </Dialog>
  )
}

function RestoreDialog({ version: { number }, onClose }: { version: TemplateVersion; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const restore = useMutation(api.admin.template.restore)
  return (
    <ConfirmDialog
      title={t(($) => $.template.restoreTitle, { number })}
      description={t(($) => $.template.restoreBody)}
      confirmLabel={t(($) => $.template.restore)}
      onConfirm={async () => {
        await restore({ number })
        toast.success(t(($) => $.template.saved))
      }}
      onClose={onClose}
    />
  )
}
