// The open request for another plan or to cancel: who asked for what, and the way to take it back.
import type { PlanRequest } from '#shared/organizations/plans.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'

/** Seen by every member, withdrawn by those who may write about billing. */
export function OpenRequest({ request: { kind, plan, note, requestedBy, createdAt } }: { request: PlanRequest }) {
  const { t } = useTranslation('plan')
  return (
    <Alert
      title={
        kind === 'change' ? t(($) => $.request.change, { plan: plan?.name ?? '' }) : t(($) => $.request.cancellation)
      }
    >
      <p>
        {requestedBy ? t(($) => $.request.by, { name: requestedBy }) : t(($) => $.request.made)}{' '}
        <DateTime at={createdAt} />. {t(($) => $.request.pending)}
      </p>
      {note && <p className="mt-1 whitespace-pre-wrap break-words">{t(($) => $.request.note, { note })}</p>}
      <May need="billing.write">
        <WithdrawButton />
      </May>
    </Alert>
  )
}

function WithdrawButton() {
  const { t } = useTranslation('plan')
  const withdraw = useMutation(api.billing.withdrawRequest)
  async function press() {
    const isWithdrawn = await withdraw({}).then(
      () => true,
      () => false, // reported in a toast
    )
    if (isWithdrawn) toast.success(t(($) => $.request.withdrawn))
  }
  return (
    <Button size="sm" className="mt-2" onClick={() => void press()}>
      {t(($) => $.request.withdraw)}
    </Button>
  )
}
