// The number from which conversations go on while this one may not send, and what came of it.
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { STAND_IN_MINUTES, STAND_IN_NOTICE, type StandIn, type StandInSettings } from '#shared/channels/stand-ins.ts'
import { STAND_IN_NOTICE_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Values of a list may not be empty. */
const NONE = 'none'

/** Live. */
export function StandInSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { _id: connectionId } = connection
  const standIn: StandIn | undefined = useQuery(api.channels.standIns.read, { connectionId })
  return (
    <CardSection title={t(($) => $.standIn.title)} description={t(($) => $.standIn.body)}>
      {standIn && (
        <div className="flex flex-col gap-5">
          <Trouble standIn={standIn} />
          {standIn.choices.length === 0 && standIn.settings.standInId === null ? (
            <NoOtherNumber />
          ) : (
            <StandInForm key={keyOf(standIn.settings)} connectionId={connectionId} standIn={standIn} />
          )}
          <Waiting standIn={standIn} />
          <Rerouted standIn={standIn} />
        </div>
      )}
    </CardSection>
  )
}

/** A colleague's change resets the form. */
function keyOf({ standInId, afterMinutes, notice }: StandInSettings): string {
  return JSON.stringify([standInId, afterMinutes, notice])
}

function NoOtherNumber() {
  const { t } = useTranslation('channels')
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted-foreground">{t(($) => $.standIn.nobody)}</p>
      <Link to={paths.channelSetup('whatsapp')} className={buttonClasses()}>
        {t(($) => $.standIn.connect)}
      </Link>
    </div>
  )
}

/** The chosen number cannot take over as it is. */
function Trouble({ standIn: { settings, choices } }: { standIn: StandIn }) {
  const { t } = useTranslation('channels')
  if (settings.standInId === null) return null
  const chosen = choices.find(({ _id }) => _id === settings.standInId)
  if (chosen?.isReady) return null
  return <Alert tone="warning">{t(($) => (chosen ? $.standIn.notReady : $.standIn.gone))}</Alert>
}

type StandInFormProps = { connectionId: ChannelConnection['_id']; standIn: StandIn }

function StandInForm({ connectionId, standIn: { settings: saved, choices } }: StandInFormProps) {
  const { t, i18n } = useTranslation('channels')
  const save = useMutation(api.channels.standIns.save)
  const [draft, setDraft] = useState(saved)
  const [isBusy, setBusy] = useState(false)
  const isDirty = keyOf(draft) !== keyOf(saved)
  const isTooLong = draft.notice.trim().length > STAND_IN_NOTICE_MAX
  const numbers = choices.map((each) => ({
    value: each._id as string,
    label: connectionName({ channel: 'whatsapp', ...each }),
  }))
  const minutes = STAND_IN_MINUTES.map((value) => ({
    value: String(value),
    label:
      value < 60 ? t(($) => $.standIn.minutes, { count: value }) : t(($) => $.standIn.hours, { count: value / 60 }),
  }))

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await save({ connectionId, settings: { ...draft, notice: draft.notice.trim() } })
      toast.success(t(($) => $.standIn.saved))
    } catch {
      // the toast of the call shows the error
    } finally {
      setBusy(false)
    }
  }
  const choose = (value: string) =>
    setDraft({ ...draft, standInId: choices.find(({ _id }) => _id === value)?._id ?? null })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t(($) => $.standIn.number)} hint={t(($) => $.standIn.numberHint)}>
          <Select
            value={draft.standInId ?? NONE}
            onValueChange={choose}
            options={[{ value: NONE, label: t(($) => $.standIn.none) }, ...numbers]}
            placeholder={t(($) => $.standIn.choose)}
          />
        </Field>
        <Field label={t(($) => $.standIn.after)} hint={t(($) => $.standIn.afterHint)}>
          <Select
            value={String(draft.afterMinutes)}
            onValueChange={(value) =>
              setDraft({ ...draft, afterMinutes: STAND_IN_MINUTES.find((each) => String(each) === value) ?? 15 })
            }
            options={minutes}
            disabled={draft.standInId === null}
          />
        </Field>
      </div>
      <Field
        label={t(($) => $.standIn.notice)}
        hint={t(($) => $.standIn.noticeHint)}
        error={isTooLong ? t(($) => $.standIn.tooLong, { max: STAND_IN_NOTICE_MAX }) : undefined}
        isOptional
      >
        <Textarea
          value={draft.notice}
          placeholder={STAND_IN_NOTICE[i18n.language === 'ru' ? 'ru' : 'en']}
          onChange={(event) => setDraft({ ...draft, notice: event.target.value })}
          disabled={draft.standInId === null}
        />
      </Field>
      <Button type="submit" className="self-start" isBusy={isBusy} disabled={!isDirty || isTooLong}>
        {t(($) => $.standIn.save)}
      </Button>
    </form>
  )
}

/** Only of a number that may not send: what waits, and what of it waits for that number alone. */
function Waiting({ standIn: { frozenSince, waiting, settings } }: { standIn: StandIn }) {
  const { t } = useTranslation('channels')
  const { next, hidden, uncertain } = waiting
  if (frozenSince === null || next + hidden + uncertain === 0) return null
  return (
    <ul className="flex flex-col gap-1">
      {next > 0 && (
        <li>{t(($) => (settings.standInId === null ? $.standIn.waitingHere : $.standIn.next), { count: next })}</li>
      )}
      {hidden > 0 && <li>{t(($) => $.standIn.hidden, { count: hidden })}</li>}
      {uncertain > 0 && <li>{t(($) => $.standIn.uncertain, { count: uncertain })}</li>}
    </ul>
  )
}

function Rerouted({ standIn: { rerouted, latest } }: { standIn: StandIn }) {
  const { t } = useTranslation('channels')
  if (rerouted === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{t(($) => $.standIn.rerouted, { count: rerouted })}</p>
      <ul className="flex flex-col gap-1">
        {latest.map(({ conversationId, customerName, at }) => (
          <li key={`${conversationId} ${at}`} className="flex flex-wrap items-baseline gap-x-2">
            <Link
              to={paths.conversation(conversationId)}
              className="min-w-0 break-words text-primary underline-offset-4 hover:underline pointer-coarse:py-2"
            >
              {customerName || t(($) => $.standIn.nameless)}
            </Link>
            <span className="text-muted-foreground text-xs">
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
