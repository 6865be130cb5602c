// The bar under the list while conversations are selected: how many, and what can be done with them.
import { Archive, ArchiveRestore, CircleDot, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Conversation, ConversationStatus } from '#shared/messaging/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { type ShortcutName, shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { AssignMenu } from '../assign-menu.tsx'
import { MergeButton } from '../contact/merge-button.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import { TagMenu } from '../panel/tag-menu.tsx'
import { BulkReach } from './bulk-reach.tsx'
import { useBulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

const STATUSES = ['active', 'paused', 'ended'] as const

type BulkBarProps = { selection: Selection; conversations: Conversation[] }

/**
 * Renders nothing when none is selected. E, A and Alt+E act on the selected ones instead of the open conversation, and do nothing while a
 * change of them is running.
 */
export function BulkBar({ selection, conversations }: BulkBarProps) {
  const { t } = useTranslation('conversations')
  const { ids } = selection
  const chosen = ids.length === 0 ? [] : conversations.filter(({ _id }) => selection.has(_id))
  const folder = (chosen[0] ?? conversations[0])?.folder ?? 'inbox' // all rows of a list are in the same folder
  const bulk = useBulk({ folder, conversations })
  const isAway = folder !== 'inbox'
  // Those that are not loaded here may be paused.
  const mayPause = chosen.length < ids.length || chosen.some(({ status }) => status !== 'ended')
  const file = () => void bulk.move(ids, isAway ? 'inbox' : 'archived')
  const end = () => void bulk.changeStatus(ids, 'ended')
  const assign = (assigneeId: Id<'users'> | null) => void bulk.assign(ids, assigneeId)
  const unlessRunning = bulk.isRunning ? () => undefined : null
  const taken = { isEnabled: ids.length > 0, isFirst: true }
  useShortcut('archive', unlessRunning ?? file, taken)
  useShortcut('end', unlessRunning ?? end, { ...taken, isEnabled: taken.isEnabled && folder !== 'deleted' })
  if (ids.length === 0) return null
  return (
    <div className="border-border border-t bg-surface px-3 py-2">
      {!bulk.isRunning && <BulkReach reach={selection.reach} onChooseAll={selection.chooseAll} />}
      <fieldset
        aria-label={t(($) => $.bulk.label)}
        disabled={bulk.isRunning}
        className="flex min-w-0 flex-wrap items-center"
      >
        <IconButton label={t(($) => $.bulk.clear)} shortcut="clearSelection" onClick={selection.clear}>
          <X />
        </IconButton>
        <Count count={ids.length} />
        <IconButton
          label={isAway ? t(($) => $.filing.putBack) : t(($) => $.filing.archive)}
          shortcut="archive"
          onClick={file}
        >
          {isAway ? <ArchiveRestore /> : <Archive />}
        </IconButton>
        {folder !== 'deleted' && (
          <IconButton label={t(($) => $.filing.delete)} onClick={() => void bulk.move(ids, 'deleted')}>
            <Trash2 />
          </IconButton>
        )}
        {folder !== 'deleted' && (
          <StatusMenu
            statuses={STATUSES.filter((status) => status !== 'paused' || mayPause)}
            onChoose={(status) => void bulk.changeStatus(ids, status)}
          />
        )}
        <AssignMenu onChoose={unlessRunning ?? assign} shortcutFor="chosen" />
        <TagMenu
          tagged={[...new Set(chosen.flatMap(({ tags }) => tags))].sort()}
          isPartlyKnown={chosen.length < ids.length}
          onChange={(tag, isOn) => void bulk.tag(ids, tag, isOn)}
        />
        <May need="contacts.write">
          <MergeButton
            ids={ids}
            chosen={chosen}
            onMerged={(updated, left) => {
              bulk.tellFailures(updated, left)
              selection.clear()
            }}
          />
        </May>
        <May need="data.write">
          <ExportButton exported={{ filter: { folder }, conversationIds: [...ids] }} />
        </May>
      </fieldset>
    </div>
  )
}

/** A bare number, so that everything fits on one line of a narrow list; screen readers hear what it counts. */
function Count({ count }: { count: number }) {
  const { t } = useTranslation('conversations')
  const number = formatNumber(count)
  return (
    <span aria-live="polite" className="me-auto font-medium text-sm tabular-nums">
      <span aria-hidden="true">{number}</span>
      <span className="sr-only">{t(($) => $.bulk.chosen, { count, number })}</span>
    </span>
  )
}

type StatusMenuProps = {
  statuses: readonly ConversationStatus[]
  onChoose: (status: ConversationStatus) => void
}

/** Without pausing, where all that was chosen is ended. */
function StatusMenu({ statuses, onChoose }: StatusMenuProps) {
  const { t } = useTranslation('conversations')
  return (
    <DropdownMenu>
      <Tooltip content={t(($) => $.filing.status)}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t(($) => $.filing.status)}>
            <CircleDot />
          </Button>
        </DropdownMenuTrigger>
      </Tooltip>
      <DropdownMenuContent>
        {statuses.map((status) => (
          <DropdownMenuItem key={status} onSelect={() => onChoose(status)}>
            {t(($) => $.bulk.to[status])}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

type IconButtonProps = { label: string; shortcut?: ShortcutName; onClick: () => void; children: ReactNode }

function IconButton({ label, shortcut, onClick, children }: IconButtonProps) {
  return (
    <Tooltip content={label} keys={shortcut && shortcutKeys(shortcut)}>
      <Button variant="ghost" size="icon" aria-label={label} onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  )
}
