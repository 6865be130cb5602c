// What can be set of a bot: whether the agent answers there, texts of its own, the length of a session, and commands.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { type ConnectionSettings, enteredSettings } from '#shared/channels/connection-settings.ts'
import { NOTICE_MAX, SESSION_MAX_MINUTES } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { SpanInput } from '#web/components/span-input.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { CommandList } from './command-list.tsx'
import { isWrong, wrongPaths } from './settings.rules.ts'

const TEXTS = ['welcomeText', 'offlineText', 'stopText'] as const
const MINUTE_MS = 60_000
/** The default when a user switches sessions on. */
const SESSION_MINUTES = 24 * 60

type Change = (patch: Partial<ConnectionSettings>) => void
type PartProps = { draft: ConnectionSettings; change: Change }

/** Everything is saved together; a wrong entry is named after the first try. */
export function TelegramSettingsSection({ connectionId, saved }: SectionProps) {
  const { t } = useTranslation('channels')
  const configure = useAction(api.channels.telegram.configure)
  const [draft, setDraft] = useState(saved)
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const change: Change = (patch) => setDraft((before) => ({ ...before, ...patch }))
  const wrong = isTried ? wrongPaths(draft) : []
  const isDirty = !isBusy && JSON.stringify(draft) !== JSON.stringify(saved)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    const parsed = enteredSettings.safeParse(draft)
    if (!parsed.success) return
    setBusy(true)
    try {
      await configure({ connectionId, settings: parsed.data })
      setDraft(parsed.data)
      setTried(false)
      toast.success(t(($) => $.telegramSettings.saved))
    } catch {
      // the toast of the call shows the error
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={submit} className="contents">
      <UnsavedGuard isDirty={isDirty} />
      <CardSection title={t(($) => $.telegramSettings.title)} description={t(($) => $.telegramSettings.body)}>
        <div className="flex flex-col gap-5">
          <SwitchRow name="isAgentOn" isOn={draft.isAgentOn} onChange={(isAgentOn) => change({ isAgentOn })} />
          <Texts draft={draft} change={change} />
          <Session draft={draft} change={change} isWrong={isWrong(wrong, 'sessionMinutes')} />
          <CommandList commands={draft.commands} onChange={(commands) => change({ commands })} wrong={wrong} />
          <div className="flex justify-end">
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isDirty && !isBusy}>
              {t(($) => $.telegramSettings.save)}
            </Button>
          </div>
        </div>
      </CardSection>
    </form>
  )
}

type SectionProps = { connectionId: ChannelConnection['_id']; saved: ConnectionSettings }

function Texts({ draft, change }: PartProps) {
  const { t } = useTranslation('channels')
  return TEXTS.map((name) => (
    <Field
      key={name}
      label={t(($) => $.telegramSettings[name])}
      hint={t(($) => $.telegramSettings.hints[name])}
      isOptional
    >
      <Textarea
        className="max-h-48"
        maxLength={NOTICE_MAX}
        value={draft[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  ))
}

function Session({ draft: { sessionMinutes }, change, isWrong: hasError }: PartProps & { isWrong: boolean }) {
  const { t } = useTranslation('channels')
  const range = { from: formatSpan(MINUTE_MS), to: formatSpan(SESSION_MAX_MINUTES * MINUTE_MS) }
  return (
    <SwitchRow
      name="session"
      isOn={sessionMinutes !== null}
      onChange={(isOn) => change({ sessionMinutes: isOn ? SESSION_MINUTES : null })}
    >
      {sessionMinutes !== null && (
        <div className="max-w-sm">
          <SpanInput
            label={t(($) => $.telegramSettings.sessionAfter)}
            unitMs={MINUTE_MS}
            value={sessionMinutes}
            onValueChange={(minutes) => change({ sessionMinutes: minutes ?? Number.NaN })}
            error={hasError ? t(($) => $.telegramSettings.sessionRange, range) : undefined}
          />
        </div>
      )}
    </SwitchRow>
  )
}

type SwitchRowProps = {
  name: 'isAgentOn' | 'session'
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** Below, while it is on. */
  children?: ReactNode
}

function SwitchRow({ name, isOn, onChange, children }: SwitchRowProps) {
  const { t } = useTranslation('channels')
  const id = useId()
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <label htmlFor={id} className="font-medium">
            {t(($) => $.telegramSettings[name])}
          </label>
          <p id={`${id}-hint`} className="max-w-prose text-[0.8125rem] text-muted-foreground leading-5">
            {t(($) => $.telegramSettings.hints[name])}
          </p>
        </div>
        <Switch id={id} checked={isOn} onCheckedChange={onChange} aria-describedby={`${id}-hint`} />
      </div>
      {children}
    </div>
  )
}
