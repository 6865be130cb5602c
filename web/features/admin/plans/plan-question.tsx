// The questions before a plan is archived, offered again or made the default.
import type { AdminPlan } from '#shared/organizations/admin-plans.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

export type PlanAct = 'archive' | 'restore' | 'setDefault'

/** Open while mounted. A refusal is shown in a toast. */
export function PlanQuestion({ act, plan, onClose }: { act: PlanAct; plan: AdminPlan; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const run = {
    archive: useMutation(api.admin.plans.archive),
    restore: useMutation(api.admin.plans.restore),
    setDefault: useMutation(api.admin.plans.setDefault),
  }
  const { name, slug } = plan
  return (
    <ConfirmDialog
      title={t(($) => $.plans.questions[act].title, { name })}
      description={t(($) => $.plans.questions[act].body)}
      confirmLabel={t(($) => $.plans[act])}
      isDestructive={act === 'archive'}
      onConfirm={async () => {
        await run[act]({ slug })
        toast.success(t(($) => $.plans.questions[act].done, { name }))
      }}
      onClose={onClose}
    />
  )
}
