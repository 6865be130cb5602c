// The appearance, texts and allowed sites of a widget.
import { type FormEvent, useState } from 'react'
import type { ConnectionHealth } from '#shared/channels/channels.ts'
import { WIDGET_POSITIONS, type WidgetSettings } from '#shared/channels/webchat.ts'
import { WIDGET_DOMAINS_MAX, WIDGET_TITLE_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { ChipInput } from '#web/components/ui/chip-input.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { RefusedSite } from './refused-site.tsx'
import { hostOf, wrongDomain } from './widget.rules.ts'
import { WidgetColor } from './widget-color.tsx'
import { WidgetPreview } from './widget-preview.tsx'
import { WidgetTextFields } from './widget-text-fields.tsx'

type WidgetFormProps = {
  /** As stored, or the defaults. */
  widget: WidgetSettings
  /** The picture of its agent. */
  avatar: string | null
  /** The site that was last not allowed to show it. */
  refused?: ConnectionHealth['refusedSite'] | undefined
  submitLabel: string
  /** Shows its error itself when it rejects. */
  onSubmit: (widget: WidgetSettings) => Promise<void>
  onBack?: () => void
}
type SectionProps = { draft: WidgetSettings; change: (patch: Partial<WidgetSettings>) => void }

/** The preview follows every change. */
export function WidgetForm({ widget, avatar, refused, submitLabel, onSubmit, onBack }: WidgetFormProps) {
  const { t } = useTranslation('channels')
  const [draft, setDraft] = useState(widget)
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const change = (patch: Partial<WidgetSettings>) => setDraft((before) => ({ ...before, ...patch }))
  const wrong = wrongDomain(draft.domains)
  const isFull = draft.domains.length >= WIDGET_DOMAINS_MAX
  const titleError = isTried && draft.title.trim() === '' ? t(($) => $.webchat.nameRequired) : undefined
  const isDirty = !isBusy && JSON.stringify(draft) !== JSON.stringify(widget)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (draft.title.trim() === '' || wrong !== undefined) return
    setBusy(true)
    const saved = { ...draft, title: draft.title.trim() }
    try {
      await onSubmit(saved)
      setDraft(saved)
    } catch {
      // The toast shows the error; the form stays as it is.
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-6 lg:grid-cols-[1fr_20rem]">
      <UnsavedGuard isDirty={isDirty && onBack === undefined} />
      <div className="flex min-w-0 flex-col gap-6">
        <LookSection draft={draft} change={change} titleError={titleError} />
        <CardSection title={t(($) => $.webchat.texts)} description={t(($) => $.webchat.textsHint)}>
          <WidgetTextFields texts={draft.texts} onChange={(texts) => change({ texts })} />
        </CardSection>
        <CardSection title={t(($) => $.webchat.sites)} description={t(($) => $.webchat.sitesHint)}>
          <RefusedSite
            refused={refused}
            domains={draft.domains}
            onAllow={isFull ? undefined : (site) => change({ domains: [...draft.domains, site] })}
          />
          <Field
            label={t(($) => $.webchat.domains)}
            hint={t(($) => $.webchat.domainsHint)}
            error={wrong !== undefined ? t(($) => $.webchat.domainsInvalid, { domain: wrong }) : undefined}
          >
            <ChipInput
              value={draft.domains}
              max={WIDGET_DOMAINS_MAX}
              placeholder={t(($) => $.webchat.domainsPlaceholder)}
              onValueChange={(domains) => change({ domains: [...new Set(domains.map(hostOf))] })}
            />
          </Field>
        </CardSection>
        <div className="flex flex-wrap justify-end gap-2">
          {onBack && (
            <Button onClick={onBack} disabled={isBusy}>
              {t(($) => $.setup.back)}
            </Button>
          )}
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {submitLabel}
          </Button>
        </div>
      </div>
      <WidgetPreview widget={draft} avatar={draft.hasAvatar ? avatar : null} />
    </form>
  )
}

function LookSection({ draft, change, titleError }: SectionProps & { titleError: string | undefined }) {
  const { t } = useTranslation('channels')
  return (
    <CardSection title={t(($) => $.webchat.look)}>
      <div className="flex flex-col gap-5">
        <Field label={t(($) => $.webchat.name)} hint={t(($) => $.webchat.nameHint)} error={titleError} isRequired>
          <Input
            value={draft.title}
            maxLength={WIDGET_TITLE_MAX}
            onChange={(event) => change({ title: event.target.value })}
          />
        </Field>
        <WidgetColor color={draft.color} onChange={(color) => change({ color })} />
        <div>
          <p className="mb-1.5 font-medium">{t(($) => $.webchat.position)}</p>
          <RadioGroup
            label={t(($) => $.webchat.position)}
            className="sm:grid-cols-2"
            value={draft.position}
            onValueChange={(position) => change({ position })}
            options={WIDGET_POSITIONS.map((value) => ({ value, label: t(($) => $.webchat[value]) }))}
          />
        </div>
        <label htmlFor="widget-avatar" className="flex items-start justify-between gap-4">
          <span>
            <span className="block font-medium">{t(($) => $.webchat.hasAvatar)}</span>
            <span className="block text-[0.8125rem] text-muted-foreground">{t(($) => $.webchat.hasAvatarHint)}</span>
          </span>
          <Switch
            id="widget-avatar"
            aria-label={t(($) => $.webchat.hasAvatar)}
            checked={draft.hasAvatar}
            onCheckedChange={(hasAvatar) => change({ hasAvatar })}
          />
        </label>
        <label htmlFor="widget-files" className="flex items-start justify-between gap-4">
          <span>
            <span className="block font-medium">{t(($) => $.webchat.takesFiles)}</span>
            <span className="block text-[0.8125rem] text-muted-foreground">{t(($) => $.webchat.takesFilesHint)}</span>
          </span>
          <Switch
            id="widget-files"
            aria-label={t(($) => $.webchat.takesFiles)}
            checked={draft.takesFiles}
            onCheckedChange={(takesFiles) => change({ takesFiles })}
          />
        </label>
      </div>
    </CardSection>
  )
}
