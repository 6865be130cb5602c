// What the forms of the calendar have in common: they know whether something has changed, save it, and stand in the way of losing it.
import { type ReactNode, useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

/** A draft of what is saved; a change by a colleague is taken over unless something was typed here. */
export function useDraft<Value extends object>(saved: Value) {
  const [draft, setDraft] = useState<Value | null>(null)
  const isDirty = draft !== null && JSON.stringify(draft) !== JSON.stringify(saved)
  const value = isDirty ? draft : saved
  return {
    value,
    isDirty,
    set: (change: Partial<Value>) => setDraft((before) => ({ ...(before ?? saved), ...change })),
    discard: () => setDraft(null),
  }
}

type SetupFormProps = {
  isDirty: boolean
  isRight: boolean
  onDiscard: () => void
  onSave: () => Promise<unknown>
  children: ReactNode
}

/** A form with its two buttons. */
export function SetupForm({ isDirty, isRight, onDiscard, onSave, children }: SetupFormProps) {
  const { t } = useTranslation('integrations')
  const [isSaving, setSaving] = useState(false)
  async function save() {
    setSaving(true)
    try {
      await onSave()
      onDiscard() // what is shown from now on is what is saved
      toast.success(t(($) => $.calendar.saved))
    } catch {
      // reported in a toast
    } finally {
      setSaving(false)
    }
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (isDirty && isRight && !isSaving) void save()
      }}
    >
      {children}
      <div className="flex justify-end gap-2">
        <Button variant="ghost" disabled={!isDirty} onClick={onDiscard}>
          {t(($) => $.calendar.discard)}
        </Button>
        <Button type="submit" variant="primary" disabled={!isDirty || !isRight} isBusy={isSaving}>
          {t(($) => $.calendar.save)}
        </Button>
      </div>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}
