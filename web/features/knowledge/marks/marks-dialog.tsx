// The dialog that edits the tags of a source, its validity period, and its language.
import { useState } from 'react'
import type { SourceLanguage, SourceMarks } from '#shared/knowledge/knowledge-marks.ts'
import { SOURCE_TAG_MAX, SOURCE_TAGS_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { ChipInput } from '#web/components/ui/chip-input.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { LanguageSelect } from './language-select.tsx'
import { fromDays, toDays } from './marks.rules.ts'

type MarksDialogProps = { source: SourceMarks & { _id: string; name: string }; onClose: () => void }

/** Open while mounted. */
export function MarksDialog({ source, onClose }: MarksDialogProps) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.marks.update)
  const [tags, setTags] = useState(source.tags)
  const [days, setDays] = useState(toDays(source))
  const [chosenLanguage, setLanguage] = useState<SourceLanguage | null>(source.chosenLanguage)
  const [isBusy, setBusy] = useState(false)
  const isBackwards = days.first !== '' && days.last !== '' && days.last < days.first
  async function save() {
    if (isBackwards) return
    setBusy(true)
    try {
      await update({ sourceId: source._id, patch: { tags, ...fromDays(days), chosenLanguage } })
      toast.success(t(($) => $.marks.saved))
      onClose()
    } catch {
      setBusy(false) // reported in a toast; the form is kept
    }
  }
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.marks.title, { name: source.name })} description={t(($) => $.marks.description)}>
        <form
          noValidate
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <Field label={t(($) => $.marks.tags)} hint={t(($) => $.marks.tagsHint)} isOptional>
            <ChipInput value={tags} onValueChange={setTags} max={SOURCE_TAGS_MAX} maxLength={SOURCE_TAG_MAX} />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={t(($) => $.marks.first)} isOptional>
              <Input
                type="date"
                value={days.first}
                onChange={(event) => setDays({ ...days, first: event.target.value })}
              />
            </Field>
            <Field
              label={t(($) => $.marks.last)}
              error={isBackwards ? t(($) => $.marks.backwards) : undefined}
              isOptional
            >
              <Input
                type="date"
                value={days.last}
                onChange={(event) => setDays({ ...days, last: event.target.value })}
              />
            </Field>
          </div>
          <Field label={t(($) => $.marks.language)}>
            <LanguageSelect source={source} value={chosenLanguage} onChange={setLanguage} />
          </Field>
          <DialogFooter>
            <Button onClick={onClose}>{t(($) => $.space.cancel)}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={isBackwards}>
              {t(($) => $.space.save)}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
