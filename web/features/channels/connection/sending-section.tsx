// How much a connection sends: messages sent in this hour and day, those that wait because of it, and the caps that users set.
import { type FormEvent, useEffect, useState } from 'react'
import {
  countsAt,
  DAY_MS,
  dailyCap,
  type EnteredCaps,
  enteredCaps,
  HOUR_MS,
  type Sending,
  WARM_UP_DAYS,
  WARM_UPS,
  type WarmUp,
  warmUpDay,
} from '#shared/channels/caps.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { CAP_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { formatMoment, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { Fact } from './fact.tsx'

const LIMITS = ['perHour', 'perDay'] as const
const LOOK_EVERY_MS = 30_000

/** Live. Only numbers of WhatsApp are warmed up. */
export function SendingSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { _id: connectionId, channel } = connection
  const sending: Sending | undefined = useQuery(api.channelConnections.sending, { connectionId })
  return (
    <CardSection title={t(($) => $.sending.title)} description={t(($) => $.sending.body)}>
      {sending && (
        <div className="flex flex-col gap-5">
          <SendingFacts sending={sending} />
          <CapsForm connectionId={connectionId} saved={sending.caps} hasWarmUp={channel === 'whatsapp'} />
        </div>
      )}
    </CardSection>
  )
}

function SendingFacts({ sending: { caps, counts, waiting, nextAt } }: { sending: Sending }) {
  const { t } = useTranslation('channels')
  const now = useNow()
  const { hourFrom, inHour, dayFrom, inDay } = countsAt(counts, now)
  const perDay = dailyCap(caps, now)
  const day = warmUpDay(caps, now)
  const until = (end: number) => t(($) => $.sending.until, { at: formatMoment(end, now) })
  const of = (sent: number, limit: number) =>
    t(($) => $.sending.of, { sent: formatNumber(sent), limit: formatNumber(limit) })
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      {caps.perHour !== null && (
        <Fact label={t(($) => $.sending.inHour)} {...(hourFrom !== null && { hint: until(hourFrom + HOUR_MS) })}>
          {of(inHour, caps.perHour)}
        </Fact>
      )}
      {perDay !== null && (
        <Fact label={t(($) => $.sending.inDay)} {...(dayFrom !== null && { hint: until(dayFrom + DAY_MS) })}>
          {of(inDay, perDay)}
        </Fact>
      )}
      {day !== null && caps.warmUp !== 'off' && (
        <Fact label={t(($) => $.sending.warmUpDay)}>
          {t(($) => $.sending.day, { day: String(day), days: String(WARM_UP_DAYS[caps.warmUp].length) })}
        </Fact>
      )}
      <Fact
        label={t(($) => $.sending.waiting)}
        {...(nextAt !== null && { hint: t(($) => $.sending.next, { at: formatMoment(nextAt, now) }) })}
      >
        {formatNumber(waiting)}
      </Fact>
    </dl>
  )
}

type CapsFormProps = { connectionId: ChannelConnection['_id']; saved: EnteredCaps; hasWarmUp: boolean }

/** An invalid number shows its error at once: there are two fields. */
function CapsForm({ connectionId, saved: { perHour, perDay, warmUp }, hasWarmUp }: CapsFormProps) {
  const { t } = useTranslation('channels')
  const setCaps = useMutation(api.channelConnections.setCaps)
  const [draft, setDraft] = useState<EnteredCaps>({ perHour, perDay, warmUp })
  const [isBusy, setBusy] = useState(false)
  const parsed = enteredCaps.safeParse(draft)
  const isDirty = !isBusy && !(draft.perHour === perHour && draft.perDay === perDay && draft.warmUp === warmUp)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!parsed.success) return
    setBusy(true)
    try {
      await setCaps({ connectionId, caps: parsed.data })
      toast.success(t(($) => $.sending.saved))
    } catch {
      // the toast of the call shows the error
    } finally {
      setBusy(false)
    }
  }
  const isWrong = (name: (typeof LIMITS)[number]) => parsed.error?.issues.some(({ path }) => path[0] === name) ?? false
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        {LIMITS.map((name) => (
          <Field
            key={name}
            label={t(($) => $.sending[name])}
            hint={t(($) => $.sending.hint)}
            error={isWrong(name) ? t(($) => $.sending.range, { max: CAP_MAX }) : undefined}
            isOptional
          >
            <NumberInput value={draft[name]} onValueChange={(value) => setDraft({ ...draft, [name]: value })} />
          </Field>
        ))}
      </div>
      {hasWarmUp && <WarmUpChoice value={draft.warmUp} onChange={(next) => setDraft({ ...draft, warmUp: next })} />}
      <Button type="submit" className="self-start" isBusy={isBusy} disabled={!isDirty || !parsed.success}>
        {t(($) => $.sending.save)}
      </Button>
    </form>
  )
}

function WarmUpChoice({ value, onChange }: { value: WarmUp; onChange: (value: WarmUp) => void }) {
  const { t } = useTranslation('channels')
  const options = WARM_UPS.map((warmUp) => {
    const days = warmUp === 'off' ? [] : WARM_UP_DAYS[warmUp]
    const figures = { first: days[0] ?? 0, last: days.at(-1) ?? 0, days: days.length }
    return {
      value: warmUp,
      label: t(($) => $.sending.warmUps[warmUp]),
      hint: t(($) => $.sending.warmUpHints[warmUp], figures),
    }
  })
  return (
    <div>
      <p className="mb-2 font-medium">{t(($) => $.sending.warmUp)}</p>
      <RadioGroup label={t(($) => $.sending.warmUp)} value={value} onValueChange={onChange} options={options} />
    </div>
  )
}

/** The current time, updated now and then: an hour that is over no longer counts. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
