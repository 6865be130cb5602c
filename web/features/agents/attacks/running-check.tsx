// A check while it runs: how far it is, and the way to end it.
import { useState } from 'react'
import type { AttackCheck } from '#shared/messaging/attack-checks.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { triedOf } from './score.ts'

export function RunningCheck({ check }: { check: AttackCheck }) {
  const { t } = useTranslation('attacks')
  const cancel = useMutation(api.attackChecks.cancel)
  const [isBusy, setBusy] = useState(false)
  const { total } = check
  const done = triedOf(check)
  const end = async () => {
    setBusy(true)
    try {
      await cancel({ checkId: check._id })
      toast.success(t(($) => $.running.cancelled))
    } catch {
      // reported in a toast
    } finally {
      setBusy(false)
    }
  }
  const text =
    total === null
      ? t(($) => $.running.preparing)
      : t(($) => $.running.progress, { done: formatNumber(done), total: formatNumber(total) })
  return (
    <CardSection
      title={t(($) => $.running.title)}
      description={t(($) => $.running.later)}
      actions={
        <Button isBusy={isBusy} onClick={() => void end()}>
          {t(($) => $.running.cancel)}
        </Button>
      }
    >
      <div className="flex flex-col gap-2">
        <Progress value={total === null ? null : done / total} label={t(($) => $.running.title)} />
        <p role="status" className="text-muted-foreground tabular-nums">
          {text}
        </p>
      </div>
    </CardSection>
  )
}
