// Where a conversation belongs: whose it is, its tags, archive and deletion. A line under the bar over it.

import { Archive, ArchiveRestore, Trash2 } from 'lucide-react'
import { DELETED_DAYS } from '#shared/limits.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { May, useMay } from '#web/lib/sign-in/permissions.tsx'
import { AssignMenu } from '../assign-menu.tsx'
import { useBulk } from '../bulk/use-bulk.ts'
import { Tag } from './tag.tsx'
import { TagMenu } from './tag-menu.tsx'

/** E archives or puts back, A assigns to oneself, Alt+E ends. */
export function ConversationFiling({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const bulk = useBulk()
  const { _id, folder, status, assignee, tags } = conversation
  const ids = [_id]
  const isAway = folder !== 'inbox'
  const label = isAway ? t(($) => $.filing.putBack) : t(($) => $.filing.archive)
  const file = () => void bulk.move(ids, isAway ? 'inbox' : 'archived')
  const mayWrite = useMay('inbox.write')
  useShortcut('archive', file, { isEnabled: mayWrite })
  useShortcut('end', () => void bulk.changeStatus(ids, 'ended'), {
    isEnabled: mayWrite && status !== 'ended' && folder !== 'deleted',
  })
  return (
    <fieldset
      aria-label={t(($) => $.filing.label)}
      className="flex min-w-0 flex-wrap items-center gap-x-2 border-border border-b bg-surface px-4 py-0.5 text-xs sm:px-6"
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5 py-1">
        {isAway && <Away conversation={conversation} />}
        {assignee && (
          <span className="flex min-w-0 items-center gap-1.5">
            <PersonAvatar person={assignee} className="size-5 text-[0.5625rem]" />
            <span className="truncate">{t(($) => $.list.assignedTo, { name: assignee.name })}</span>
          </span>
        )}
        {tags.map((tag) => (
          <Tag key={tag} tag={tag} />
        ))}
      </div>
      <May need="inbox.write">
        <div className="ms-auto flex shrink-0">
          <AssignMenu onChoose={(assigneeId) => void bulk.assign(ids, assigneeId)} shortcutFor="open" />
          <TagMenu tagged={tags} onChange={(tag, isOn) => void bulk.tag(ids, tag, isOn)} />
          <Tooltip content={label} keys={shortcutKeys('archive')}>
            <Button variant="ghost" size="icon" aria-label={label} onClick={file}>
              {isAway ? <ArchiveRestore /> : <Archive />}
            </Button>
          </Tooltip>
          {folder !== 'deleted' && (
            <Tooltip content={t(($) => $.filing.delete)}>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t(($) => $.filing.delete)}
                onClick={() => void bulk.move(ids, 'deleted')}
              >
                <Trash2 />
              </Button>
            </Tooltip>
          )}
        </div>
      </May>
    </fieldset>
  )
}

function Away({ conversation: { folder, movedAt } }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  if (folder === 'archived') return <span>{t(($) => $.filing.archived)}</span>
  const day = formatDateTime((movedAt ?? 0) + DELETED_DAYS * 86_400_000, 'date')
  return <span>{t(($) => $.filing.deleted, { day })}</span>
}
