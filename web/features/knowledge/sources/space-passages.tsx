// How the documents of a space are split into passages: a setting for new documents, and an action that splits existing ones again.
import { useState } from 'react'
import { type KnowledgeSpace, PASSAGE_SIZE, type PassageSize } from '#shared/knowledge/knowledge.ts'
import { PASSAGE_LENGTH_MAX, PASSAGE_LENGTH_MIN, PASSAGE_OVERLAP_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** The form keeps what is typed until it is saved, and resets when another user has saved. */
export function SpacePassages({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const { length, overlap } = space.passages
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div>
        <h2 className="font-medium">{t(($) => $.passages.title)}</h2>
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.passages.hint)}</p>
      </div>
      <SizeForm key={`${length} ${overlap}`} space={space} />
      <OtherwiseCut space={space} />
    </Card>
  )
}

function SizeForm({ space: { _id: knowledgeSpaceId, passages: saved } }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.spaces.update)
  const [length, setLength] = useState<number | null>(saved.length)
  const [overlap, setOverlap] = useState<number | null>(saved.overlap)
  const isChanged = length !== saved.length || overlap !== saved.overlap
  const range = { min: formatNumber(PASSAGE_LENGTH_MIN), max: formatNumber(PASSAGE_LENGTH_MAX) }
  const isLength = isWhole(length, PASSAGE_LENGTH_MIN, PASSAGE_LENGTH_MAX)
  const isOverlap = isWhole(overlap, 0, PASSAGE_OVERLAP_MAX * (isLength ? Number(length) : PASSAGE_SIZE.length))
  async function save() {
    if (!isLength || !isOverlap) return
    const passages: PassageSize = { length: Number(length), overlap: Number(overlap) }
    await update({ knowledgeSpaceId, patch: { passages } })
    toast.success(t(($) => $.passages.saved))
  }
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save().catch(() => undefined) // reported in a toast
      }}
    >
      <Field
        className="min-w-56 flex-1"
        label={t(($) => $.passages.length)}
        hint={t(($) => $.passages.lengthHint)}
        error={isLength ? undefined : t(($) => $.passages.lengthRange, range)}
      >
        <NumberInput value={length} onValueChange={setLength} unit={t(($) => $.passages.unit)} className="w-52" />
      </Field>
      <Field
        className="min-w-56 flex-1"
        label={t(($) => $.passages.overlap)}
        hint={t(($) => $.passages.overlapHint)}
        error={isOverlap ? undefined : t(($) => $.passages.overlapRange)}
      >
        <NumberInput value={overlap} onValueChange={setOverlap} unit={t(($) => $.passages.unit)} className="w-52" />
      </Field>
      {isChanged && (
        <Button type="submit" className="mt-6.5" disabled={!isLength || !isOverlap}>
          {t(($) => $.passages.save)}
        </Button>
      )}
    </form>
  )
}

/** Documents split with other settings. Live: the number falls while they are split again. */
function OtherwiseCut({ space: { _id: knowledgeSpaceId } }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const count: number | undefined = useQuery(api.knowledge.passages.countOtherwise, { knowledgeSpaceId })
  const cutAnew = useMutation(api.knowledge.passages.cutAnew)
  const [isAsking, setAsking] = useState(false)
  if (!count && !isAsking) return null
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status" className="text-[0.8125rem] tabular-nums">
        {t(($) => $.passages.otherwise, { count: count ?? 0, total: formatNumber(count ?? 0) })}
      </p>
      <Button onClick={() => setAsking(true)}>{t(($) => $.passages.cut)}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t(($) => $.passages.cutTitle)}
          description={t(($) => $.passages.cutBody)}
          confirmLabel={t(($) => $.passages.cutConfirm)}
          onConfirm={async () => {
            await cutAnew({ knowledgeSpaceId })
            toast.success(t(($) => $.passages.cutting))
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function isWhole(value: number | null, least: number, most: number): boolean {
  return value !== null && Number.isInteger(value) && value >= least && value <= most
}
