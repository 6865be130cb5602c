// How long the organization keeps customers' messages. Counts what a change would remove before it is saved.
import { useState } from 'react'
import { RETENTION_DAYS_MAX } from '#shared/limits.ts'
import { type RetentionPreview, type RetentionSettings, retentionSettings } from '#shared/messaging/retention.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { toast } from '#web/lib/toast.ts'
import { LeftAloneNote } from './left-alone-note.tsx'
import { countedOf, leftAloneOf } from './removal-counts.ts'

const KINDS = ['messages', 'attachments', 'traces'] as const

/** Shows a skeleton while the settings load. */
export function RetentionSection() {
  const { t } = useTranslation('settings')
  const saved: RetentionSettings | undefined = useQuery(api.conversations.retention.get, {})
  return (
    <CardSection title={t(($) => $.retention.title)} description={t(($) => $.retention.description)}>
      {saved ? (
        <RetentionForm key={JSON.stringify(saved)} saved={saved} />
      ) : (
        <Delayed>
          <Skeleton className="h-40" />
        </Delayed>
      )}
    </CardSection>
  )
}

function RetentionForm({ saved }: { saved: RetentionSettings }) {
  const { t } = useTranslation('settings')
  const preview = useAction(api.conversations.retention.preview)
  const [days, setDays] = useState(saved)
  const [isCounting, setCounting] = useState(false)
  const [counts, setCounts] = useState<RetentionPreview | null>(null)
  const kept = useFetched(['retention', JSON.stringify(saved)], () => preview(saved), {
    isEnabled: KINDS.some((kind) => saved[kind] !== null),
  })
  const isDirty = KINDS.some((kind) => days[kind] !== saved[kind])
  const isRight = retentionSettings.safeParse(days).success
  async function ask() {
    setCounting(true)
    try {
      setCounts(await preview(days))
    } catch {
      // reported in a toast
    } finally {
      setCounting(false)
    }
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) void ask()
      }}
    >
      {KINDS.map((kind) => (
        <Field
          key={kind}
          label={t(($) => $.retention.kinds[kind])}
          hint={t(($) => $.retention.hints[kind])}
          error={isWrong(days, kind) ? t(($) => $.retention.error, { max: RETENTION_DAYS_MAX }) : undefined}
          isOptional
        >
          <NumberInput
            unit={t(($) => $.retention.unit)}
            className="sm:w-56"
            placeholder={t(($) => $.retention.forGood)}
            value={days[kind]}
            onValueChange={(value) => setDays((before) => ({ ...before, [kind]: value }))}
          />
        </Field>
      ))}
      <div>
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.retention.leftAlone)}</p>
        <LeftAloneNote left={kept.value?.left} />
      </div>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" disabled={!isDirty} onClick={() => setDays(saved)}>
          {t(($) => $.organization.discard)}
        </Button>
        <Button type="submit" variant="primary" disabled={!isDirty || !isRight} isBusy={isCounting}>
          {t(($) => $.organization.save)}
        </Button>
      </div>
      {counts && <SaveDialog days={days} counts={counts} onClose={() => setCounts(null)} />}
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

type SaveDialogProps = { days: RetentionSettings; counts: RetentionPreview; onClose: () => void }

function SaveDialog({ days, counts, onClose }: SaveDialogProps) {
  const { t } = useTranslation('settings')
  const set = useMutation(api.conversations.retention.set)
  const counted = countedOf(counts, t)
  const left = leftAloneOf(counts.left, t)
  return (
    <ConfirmDialog
      title={t(($) => $.retention.confirmTitle)}
      description={
        <>
          {counted ? t(($) => $.retention.goes, { counted }) : t(($) => $.retention.nothingGoes)}
          {left && ` ${t(($) => $.retention.leftNow, { counted: left })}`}
        </>
      }
      confirmLabel={t(($) => $.organization.save)}
      onConfirm={async () => {
        await set(days)
        toast.success(t(($) => $.organization.saved))
      }}
      onClose={onClose}
      isDestructive={counted !== ''}
    />
  )
}

function isWrong(days: RetentionSettings, kind: keyof RetentionSettings): boolean {
  return !retentionSettings.shape[kind].safeParse(days[kind]).success
}
