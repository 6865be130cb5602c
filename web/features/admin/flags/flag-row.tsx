// One flag: its switch, what it does, when it was set, and the organizations for which it stands otherwise.
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { type Flag, isDeclaredFlag } from '#shared/organizations/flags.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { useChosen } from '../use-chosen.ts'

type FlagRowProps = { flag: Flag; onEdit: () => void; onExcept: () => void }

/** A list item. */
export function FlagRow({ flag, onEdit, onExcept }: FlagRowProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const { key, description, isUsed, isForAll, updatedAt } = flag
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p id={id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="break-all font-medium">{key}</code>
          {!isUsed && <Badge tone="warning">{t(($) => $.flags.unused)}</Badge>}
          {isForAll && <Badge tone="neutral">{t(($) => $.flags.forAll)}</Badge>}
        </p>
        <p className="break-words text-[0.8125rem]">
          {isDeclaredFlag(key) ? t(($) => $.flags.effects[key]) : t(($) => $.flags.unusedHint)}
        </p>
        {description && <p className="break-words text-[0.8125rem] text-muted-foreground">{description}</p>}
        <p className="text-[0.8125rem] text-muted-foreground">
          {updatedAt === null ? (
            t(($) => $.flags.neverSet)
          ) : (
            <>
              {t(($) => $.flags.updated)}: <RelativeTime at={updatedAt} />
            </>
          )}
        </p>
        <Overrides flag={flag} />
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="sm" aria-label={t(($) => $.flags.editOf, { key })} onClick={onEdit}>
            {t(($) => $.flags.edit)}
          </Button>
          {isUsed && !isForAll && (
            <Button size="sm" aria-label={t(($) => $.flags.exceptOf, { key })} onClick={onExcept}>
              {t(($) => $.flags.except)}
            </Button>
          )}
        </div>
      </div>
      <FlagSwitch flag={flag} labelledBy={id} />
    </li>
  )
}

function FlagSwitch({ flag: { key, isEnabled }, labelledBy }: { flag: Flag; labelledBy: string }) {
  const { t } = useTranslation('admin')
  const set = useMutation(api.admin.flags.set)
  const { shown, choose, drop } = useChosen(isEnabled)
  async function turn(enabled: boolean) {
    choose(enabled)
    const isDone = await set({ key, enabled }).then(
      () => true,
      () => false, // reported in a toast
    )
    if (!isDone) return drop()
    toast.success(t(($) => (enabled ? $.flags.turnedOn : $.flags.turnedOff), { key }))
  }
  return <Switch aria-labelledby={labelledBy} checked={shown} onCheckedChange={(enabled) => void turn(enabled)} />
}

function Overrides({ flag: { key, overrides } }: { flag: Flag }) {
  const { t } = useTranslation('admin')
  if (overrides.length === 0) return null
  return (
    <ul className="mt-2 flex flex-col gap-1" aria-label={t(($) => $.flags.exceptionsOf, { key })}>
      {overrides.map((override) => (
        <Override key={override.organizationId} flagKey={key} override={override} />
      ))}
    </ul>
  )
}

function Override({ flagKey, override }: { flagKey: string; override: Flag['overrides'][number] }) {
  const { t } = useTranslation('admin')
  const setOverride = useMutation(api.admin.flags.setOverride)
  const [isBusy, setBusy] = useState(false)
  const { organizationId, name, isEnabled } = override
  async function end() {
    setBusy(true)
    const isDone = await setOverride({ key: flagKey, organizationId, enabled: null }).then(
      () => true,
      () => false, // reported in a toast
    )
    setBusy(false)
    if (isDone) toast.success(t(($) => $.flags.exceptionEnded, { name }))
  }
  return (
    <li className="flex items-center gap-2 rounded-lg bg-muted px-3 py-1 text-[0.8125rem]">
      <span className="min-w-0 flex-1 break-words">{name}</span>
      <Badge tone={isEnabled ? 'success' : 'neutral'}>{t(($) => (isEnabled ? $.flags.on : $.flags.off))}</Badge>
      <Button
        variant="ghost"
        size="icon"
        isBusy={isBusy}
        aria-label={t(($) => $.flags.endException, { name })}
        onClick={() => void end()}
      >
        {!isBusy && <Trash2 aria-hidden="true" />}
      </Button>
    </li>
  )
}
