// Two passages that contradict or repeat each other: choose the right one, or dismiss the pair.
import { EyeOff, Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Chunk } from '#shared/knowledge/chunks.ts'
import type { KnowledgePair, PairSide } from '#shared/knowledge/review.ts'
import { SPACE_UNDO_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type PairCardProps = {
  pair: KnowledgePair
  /** Called when the pair is decided and its card disappears. */
  onDecided: () => void
}

/** Passages of documents can be hidden here, notes are edited in place. Everything can be undone. */
export function PairCard({ pair, onDecided }: PairCardProps) {
  const { t } = useTranslation('proposals')
  const dismiss = useMutation(api.knowledge.review.dismiss)
  const update = useMutation(api.knowledge.chunks.update)
  const [isBusy, setBusy] = useState(false)

  /** `work` resolves with the function that undoes it. */
  async function decide(done: string, work: () => Promise<() => Promise<unknown>>) {
    if (isBusy) return
    setBusy(true)
    try {
      const undo = await work()
      const onClick = () => void undo().catch(() => undefined) // reported in a toast
      toast.success(done, { durationMs: SPACE_UNDO_MS, action: { label: t(($) => $.undo), onClick } })
      onDecided()
    } catch {
      setBusy(false) // reported in a toast
    }
  }
  const onDismiss = () =>
    decide(
      t(($) => $.pairs.dismissed),
      async () => {
        await dismiss({ pairId: pair._id, isDismissed: true })
        return () => dismiss({ pairId: pair._id, isDismissed: false })
      },
    )
  const onHide = ({ chunkId }: PairSide) =>
    decide(
      t(($) => $.pairs.hidden),
      async () => {
        const hidden: Chunk = await update({ chunkId, patch: { isEnabled: false } })
        return () => update({ chunkId: hidden._id, patch: { isEnabled: true } })
      },
    )

  return (
    <Card className="flex flex-col gap-3 p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted-foreground">
        <Badge tone={pair.kind === 'contradiction' ? 'warning' : 'neutral'}>{t(($) => $.pairs.kind[pair.kind])}</Badge>
        {pair.conversations > 0 && t(($) => $.conversations, { count: pair.conversations })}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {[pair.first, pair.second].map((side) => (
          <Side key={side.chunkId} side={side} isBusy={isBusy} onHide={() => void onHide(side)} />
        ))}
      </div>
      <Button variant="ghost" size="sm" className="self-start" isBusy={isBusy} onClick={() => void onDismiss()}>
        {t(($) => $.pairs.dismiss[pair.kind])}
      </Button>
    </Card>
  )
}

function Side({ side, isBusy, onHide }: { side: PairSide; isBusy: boolean; onHide: () => void }) {
  const { t } = useTranslation('proposals')
  const place =
    side.kind === 'fragment'
      ? { part: 'notes', note: side.documentId }
      : { document: side.documentId, chunk: side.chunkId }
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-lg border border-border p-3">
      <p className="break-words font-medium text-[0.8125rem]">{side.name}</p>
      <p className="line-clamp-6 whitespace-pre-wrap break-words text-muted-foreground">{side.text}</p>
      <div className="mt-auto flex flex-wrap gap-2">
        <Link
          to={`?${new URLSearchParams(place)}`}
          aria-label={t(($) => $.pairs.editOf, { name: side.name })}
          className={buttonClasses({ variant: 'secondary', size: 'sm' })}
        >
          <Pencil aria-hidden="true" />
          {t(($) => $.pairs.edit)}
        </Link>
        {side.kind === 'document' && (
          <Button
            size="sm"
            disabled={isBusy}
            aria-label={t(($) => $.pairs.hideOf, { name: side.name })}
            onClick={onHide}
          >
            <EyeOff aria-hidden="true" />
            {t(($) => $.pairs.hide)}
          </Button>
        )}
      </div>
    </div>
  )
}
