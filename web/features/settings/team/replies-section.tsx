// Replies kept ready: listed, made, changed, removed.
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CannedReply } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { CannedReplyDialog } from './canned-reply-dialog.tsx'

/** Live: what a colleague keeps is there at once. */
export function RepliesSection() {
  const { t } = useTranslation('settings')
  const replies: CannedReply[] | undefined = useQuery(api.conversations.canned.list, {})
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null)
  const [removed, setRemoved] = useState<CannedReply | null>(null)
  return (
    <CardSection
      title={t(($) => $.replies.title)}
      description={t(($) => $.replies.description)}
      actions={
        <Button variant="primary" size="sm" onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" />
          {t(($) => $.replies.create)}
        </Button>
      }
    >
      {!replies && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {replies?.length === 0 && <p className="text-muted-foreground">{t(($) => $.replies.none)}</p>}
      <ul className="divide-y divide-border">
        {replies?.map((reply) => (
          <ReplyRow key={reply._id} reply={reply} onEdit={() => setEdited(reply)} onRemove={() => setRemoved(reply)} />
        ))}
      </ul>
      {edited && <CannedReplyDialog reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {removed && <RemoveDialog reply={removed} onClose={() => setRemoved(null)} />}
    </CardSection>
  )
}

type RowProps = { reply: CannedReply; onEdit: () => void; onRemove: () => void }

function ReplyRow({ reply: { name, texts }, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation('settings')
  return (
    <li className="flex items-center gap-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="line-clamp-2 break-words text-[0.8125rem] text-muted-foreground">{texts.ru || texts.en}</p>
      </div>
      <Button variant="ghost" size="icon" aria-label={t(($) => $.replies.editNamed, { name })} onClick={onEdit}>
        <Pencil aria-hidden="true" />
      </Button>
      <Button variant="ghost" size="icon" aria-label={t(($) => $.replies.removeNamed, { name })} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </Button>
    </li>
  )
}

function RemoveDialog({ reply, onClose }: { reply: CannedReply; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const remove = useMutation(api.conversations.canned.remove)
  return (
    <ConfirmDialog
      title={t(($) => $.replies.removeTitle, { name: reply.name })}
      description={t(($) => $.replies.removeBody)}
      confirmLabel={t(($) => $.replies.remove)}
      onConfirm={async () => {
        await remove({ cannedReplyId: reply._id })
        toast.success(t(($) => $.replies.removed))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}
