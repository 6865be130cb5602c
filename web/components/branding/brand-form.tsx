// The brand of the installation or of an organization as a form: name, pictures, colours, letters, footer of the web chat, and how it will look.
import { type FormEvent, useState } from 'react'
import {
  BRAND_NAME_MAX,
  type Brand,
  type BrandPicture,
  type BrandSettings,
  brandFaults,
  brandOf,
  EMPTY_BRAND,
  type OwnBrand,
} from '#shared/organizations/branding.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { toast } from '#web/lib/toast.ts'
import type { BrandPartProps } from './brand-part.ts'
import { BrandPreview } from './brand-preview.tsx'
import { ColorFields } from './color-fields.tsx'
import { FooterFields } from './footer-fields.tsx'
import { PictureRows } from './picture-rows.tsx'
import { SenderFields } from './sender-fields.tsx'

type BrandFormProps = {
  of: BrandPartProps['of']
  own: OwnBrand
  /** What is shown where nothing is chosen. */
  inherited: Brand
  /** The footer that is shown where none is chosen; empty: none. */
  inheritedFooter: string
  /** Shows its error itself when it rejects. */
  onSave: (settings: BrandSettings) => Promise<unknown>
  onRemovePicture: (picture: BrandPicture) => Promise<unknown>
}

/** Pictures are taken at once, the rest with the button. What a colleague saves meanwhile appears unless something is being edited here. */
export function BrandForm({ of, own, inherited, inheritedFooter, onSave, onRemovePicture }: BrandFormProps) {
  const { t } = useTranslation('branding')
  const [begun, setBegun] = useState(settingsOf(own))
  const [draft, setDraft] = useState(begun)
  const [isSaving, setSaving] = useState(false)
  const current = settingsOf(own)
  const isDirty = !isSame(draft, begun)
  if (!isDirty && !isSame(begun, current)) {
    setBegun(current)
    setDraft(current)
  }
  const faults = brandFaults(draft)
  const errorOf = (field: keyof BrandSettings) => {
    const fault = faults.find((each) => each.field === field)
    return fault && describeError(new Refusal(fault.code, fault.params)).message
  }
  const part: BrandPartProps = {
    of,
    draft,
    errorOf,
    change: (patch) => setDraft((before) => ({ ...before, ...patch })),
  }
  async function save(event?: FormEvent) {
    event?.preventDefault()
    if (!isDirty || faults.length > 0) return
    setSaving(true)
    try {
      await onSave(draft)
      setBegun(draft)
      toast.success(t(($) => $.saved))
    } catch {
      // The toast says why; the form stays.
    } finally {
      setSaving(false)
    }
  }
  useShortcut('save', () => void save(), { isEnabled: isDirty && faults.length === 0 })
  const shown = { ...own, ...draft }
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-6">
      <UnsavedGuard isDirty={isDirty} />
      <CardSection title={t(($) => $.name.title)} description={t(($) => $.name.description[of])}>
        <Field
          label={t(($) => $.name.label)}
          hint={t(($) => $.name.hint, { name: inherited.name })}
          error={errorOf('name')}
          isOptional
        >
          <Input
            autoComplete="off"
            maxLength={BRAND_NAME_MAX}
            placeholder={inherited.name}
            value={draft.name}
            onChange={({ target }) => part.change({ name: target.value })}
          />
        </Field>
      </CardSection>
      <PictureRows of={of} own={own} onRemove={onRemovePicture} />
      <ColorFields {...part} inherited={inherited} />
      <CardSection title={t(($) => $.preview.title)} description={t(($) => $.preview.description)}>
        <BrandPreview brand={previewOf(shown, inherited)} footer={footerText(draft, inheritedFooter)} />
      </CardSection>
      <SenderFields {...part} />
      <FooterFields {...part} inheritedFooter={inheritedFooter} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" disabled={!isDirty || isSaving} onClick={() => setDraft(begun)}>
          {t(($) => $.discard)}
        </Button>
        <Button type="submit" variant="primary" isBusy={isSaving} disabled={!isDirty || faults.length > 0}>
          {t(($) => $.save)}
        </Button>
      </div>
    </form>
  )
}

function settingsOf({ logoLight: _light, logoDark: _dark, icon: _icon, ...settings }: OwnBrand): BrandSettings {
  return settings
}

function isSame(one: BrandSettings, other: BrandSettings): boolean {
  return (Object.keys(one) as (keyof BrandSettings)[]).every((name) => one[name] === other[name])
}

/** Colours that cannot be read are left out until they are mended. */
function previewOf(shown: OwnBrand, { name, logo, icon, accent }: Brand): Brand {
  const wrong = new Set(brandFaults(shown).map(({ field }) => field))
  const readable = {
    ...shown,
    accentLight: wrong.has('accentLight') ? '' : shown.accentLight,
    accentDark: wrong.has('accentDark') ? '' : shown.accentDark,
  }
  const base: OwnBrand = {
    ...EMPTY_BRAND,
    ...{ name, accentLight: accent.light ?? '', accentDark: accent.dark ?? '' },
    ...{ logoLight: logo.light, logoDark: logo.dark, icon },
  }
  return brandOf(base, readable)
}

function footerText({ footer, footerText: own }: BrandSettings, inherited: string): string {
  if (footer === 'inherit') return inherited
  return footer === 'own' ? own : ''
}
