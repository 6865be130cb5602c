// The dialog that sets a flag with its description, or adds one.
import { useState } from 'react'
import { FLAG_DESCRIPTION_MAX, FLAG_KEY_MAX, type Flag, flagKeyFault } from '#shared/organizations/flags.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { describeCode, describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type FlagDialogProps = {
  /** Null: another one, which the program does not obey yet. */
  flag: Flag | null
  onClose: () => void
}

/** Open while mounted. */
export function FlagDialog({ flag, onClose }: FlagDialogProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={flag ? t(($) => $.flags.editTitle, { key: flag.key }) : t(($) => $.flags.add)}
        {...(!flag && { description: t(($) => $.flags.addBody) })}
      >
        <FlagForm flag={flag} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function FlagForm({ flag, onClose }: FlagDialogProps) {
  const { t } = useTranslation(['admin', 'common'])
  const { draft, change, error, failure, isBusy, submit } = useFlagForm(flag, onClose)
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {!flag && (
        <Field label={t(($) => $.flags.key)} hint={t(($) => $.flags.keyHint)} error={error} isRequired>
          <Input
            maxLength={FLAG_KEY_MAX}
            autoCapitalize="none"
            spellCheck={false}
            value={draft.key}
            onChange={(event) => change({ key: event.target.value })}
          />
        </Field>
      )}
      <Field
        label={t(($) => $.flags.note)}
        hint={t(($) => $.flags.noteHint)}
        counter={{ used: draft.description.trim().length, max: FLAG_DESCRIPTION_MAX }}
        isOptional
      >
        <Textarea
          className="max-h-40"
          maxLength={FLAG_DESCRIPTION_MAX}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <Field label={t(($) => $.flags.on)}>
        <Switch checked={draft.isEnabled} onCheckedChange={(isEnabled) => change({ isEnabled })} />
      </Field>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.action.cancel, { ns: 'common' })}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t(($) => $.flags.save)}
        </Button>
      </DialogFooter>
    </form>
  )
}

function useFlagForm(flag: Flag | null, onClose: () => void) {
  const { t } = useTranslation('admin')
  const set = useMutation(api.admin.flags.set, { hasToast: false })
  const [draft, setDraft] = useState({
    ...{ key: flag?.key ?? '', description: flag?.description ?? '', isEnabled: flag?.isEnabled ?? true },
  })
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function submit() {
    const fault = flagKeyFault(draft.key)
    setError(fault && describeCode(fault))
    setFailure(null)
    if (fault) return
    const key = draft.key.trim()
    setBusy(true)
    try {
      await set({ key, enabled: draft.isEnabled, description: draft.description.trim() })
      toast.success(t(($) => $.flags.saved, { key }))
      onClose()
    } catch (thrown) {
      setFailure(describeError(thrown).message)
    } finally {
      setBusy(false)
    }
  }
  function change(patch: Partial<typeof draft>) {
    setDraft((before) => ({ ...before, ...patch }))
    setError(undefined)
  }
  return { draft, change, error, failure, isBusy, submit }
}
