// Which calendars of the account say when people are busy, and into which one bookings go.
import type { Id } from '#shared/ids.ts'
import type { CalendarChoice, CalendarConnection, CalendarEntry } from '#shared/integrations/calendar.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useDisabled } from '#web/lib/read-only.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { SetupForm, useDraft } from './setup-form.tsx'

type CalendarsTabProps = { agentId: Id<'agents'>; connection: CalendarConnection | null; saved: CalendarChoice }

/** Asks Google for the calendars, for those who may choose; others see what is chosen. */
export function CalendarsTab({ agentId, connection, saved }: CalendarsTabProps) {
  const { t } = useTranslation('integrations')
  const mayChoose = useMay('channels.write')
  const load = useAction(api.integrations.calendar.calendars, { hasToast: false })
  const isAsked = connection?.status === 'connected' && mayChoose
  const key = ['calendars', agentId, String(connection?.connectedAt)]
  const { value, error, isLoading, reload } = useFetched(key, () => load({ agentId }), { isEnabled: isAsked })
  return (
    <CardSection title={t(($) => $.calendar.calendars.title)} description={t(($) => $.calendar.calendars.description)}>
      {!connection && <p className="text-muted-foreground">{t(($) => $.calendar.calendars.first)}</p>}
      {connection?.status === 'reauthorization_required' && (
        <Alert tone="destructive" className="mb-5">
          {t(($) => $.calendar.connection.lost)}
        </Alert>
      )}
      {isLoading && <Skeleton className="h-40" />}
      {error && (
        <Alert
          tone="destructive"
          className="mb-5"
          title={t(($) => $.calendar.calendars.failed)}
          action={
            <Button size="sm" onClick={reload}>
              {t(($) => $.calendar.calendars.retry)}
            </Button>
          }
        />
      )}
      {connection && !isLoading && <CalendarsForm agentId={agentId} entries={value ?? null} saved={saved} />}
    </CardSection>
  )
}

type Row = { id: string; name: string; hint: string | null; isOwned: boolean }
type CalendarsFormProps = { agentId: Id<'agents'>; entries: CalendarEntry[] | null; saved: CalendarChoice }

function CalendarsForm({ agentId, entries, saved }: CalendarsFormProps) {
  const { t } = useTranslation('integrations')
  const save = useAction(api.integrations.calendar.saveCalendars)
  const { value, isDirty, set, discard } = useDraft({
    busyIds: saved.busy.map(({ id }) => id),
    targetId: saved.target?.id ?? '',
  })
  const rows = useRows(entries, saved)
  const targets = rows.filter(({ isOwned, id }) => isOwned || id === value.targetId)
  const { busyIds, targetId } = value
  return (
    <SetupForm
      isDirty={isDirty}
      isRight={targetId !== '' && entries !== null}
      onDiscard={discard}
      onSave={() => save({ agentId, busyIds, targetId })}
    >
      <fieldset className="flex flex-col gap-2" disabled={entries === null}>
        <legend className="font-medium">{t(($) => $.calendar.calendars.busy)}</legend>
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.calendar.calendars.busyHint)}</p>
        {rows.map((row) => (
          <BusyRow
            key={row.id}
            row={row}
            isChosen={busyIds.includes(row.id)}
            onChange={(isChosen) =>
              set({ busyIds: isChosen ? [...busyIds, row.id] : busyIds.filter((id) => id !== row.id) })
            }
          />
        ))}
      </fieldset>
      <Field
        label={t(($) => $.calendar.calendars.target)}
        hint={t(($) => $.calendar.calendars.targetHint)}
        error={targetId === '' ? t(($) => $.calendar.calendars.targetMissing) : undefined}
      >
        <Select
          value={targetId}
          onValueChange={(id) => set({ targetId: id })}
          disabled={entries === null}
          placeholder={t(($) => $.calendar.calendars.choose)}
          options={targets.map(({ id, name, hint }) => ({ value: id, label: hint ? `${name} (${hint})` : name }))}
        />
      </Field>
    </SetupForm>
  )
}

type BusyRowProps = { row: Row; isChosen: boolean; onChange: (isChosen: boolean) => void }

function BusyRow({ row, isChosen, onChange }: BusyRowProps) {
  const isDisabled = useDisabled(false)
  return (
    <label className="flex items-start gap-3 rounded-lg border border-border p-3">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-primary"
        checked={isChosen}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 break-words">
        {row.name}
        {row.hint && <span className="block text-[0.8125rem] text-muted-foreground">{row.hint}</span>}
      </span>
    </label>
  )
}

/** The calendars of the account, and those that were chosen and are gone. */
function useRows(entries: CalendarEntry[] | null, saved: CalendarChoice): Row[] {
  const { t } = useTranslation('integrations')
  const known = (entries ?? []).map(({ id, name, isPrimary, isOwned }) => {
    const hint = isPrimary ? 'primary' : isOwned ? null : 'shared'
    return { id, name, isOwned, hint: hint && t(($) => $.calendar.calendars[hint]) }
  })
  const chosen = new Map([...saved.busy, ...(saved.target ? [saved.target] : [])].map((each) => [each.id, each]))
  const left = [...chosen.values()].filter(({ id }) => !known.some((each) => each.id === id))
  const hint = entries ? t(($) => $.calendar.calendars.gone) : null
  return [...known, ...left.map(({ id, name }) => ({ id, name, hint, isOwned: false }))]
}
