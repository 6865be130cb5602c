// The questions before something is done about a person.
import type { AdminPerson } from '#shared/organizations/admin.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { ReasonDialog } from '../reason-dialog.tsx'

type Confirmed = 'giveAdmin' | 'takeAdmin' | 'endSessions' | 'resetTwoStep' | 'unlock'
export type PersonAct = { what: Confirmed | 'lock'; person: AdminPerson }
type PersonDialogProps = { act: PersonAct; onClose: () => void }

/** How a person is called: by the address where they have no name. */
export function nameOf({ name, email }: Pick<AdminPerson, 'name' | 'email'>): string {
  return name || email
}

/** Open while mounted. */
export function PersonDialog({ act: { what, person }, onClose }: PersonDialogProps) {
  return what === 'lock' ? (
    <LockDialog person={person} onClose={onClose} />
  ) : (
    <QuestionDialog what={what} person={person} onClose={onClose} />
  )
}

function LockDialog({ person, onClose }: { person: AdminPerson; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const lock = useMutation(api.admin.members.lock, { hasToast: false })
  const name = nameOf(person)
  return (
    <ReasonDialog
      title={t(($) => $.members.questions.lock.title, { name })}
      description={t(($) => $.members.questions.lock.body)}
      hint={t(($) => $.members.lockHint)}
      confirmLabel={t(($) => $.members.lock)}
      onConfirm={async (reason) => {
        await lock({ userId: person._id, reason })
        toast.success(t(($) => $.members.questions.lock.done, { name }))
      }}
      onClose={onClose}
    />
  )
}

type QuestionProps = { what: Confirmed; person: AdminPerson; onClose: () => void }

function QuestionDialog({ what, person, onClose }: QuestionProps) {
  const { t } = useTranslation('admin')
  const run = useActs()
  const name = nameOf(person)
  return (
    <ConfirmDialog
      title={t(($) => $.members.questions[what].title, { name })}
      description={t(($) => $.members.questions[what].body)}
      confirmLabel={t(($) => $.members[what])}
      isDestructive={what === 'takeAdmin' || what === 'resetTwoStep'}
      onConfirm={async () => {
        await run[what](person)
        toast.success(t(($) => $.members.questions[what].done, { name }))
      }}
      onClose={onClose}
    />
  )
}

/** Each is reported in a toast when it fails. */
function useActs(): Record<Confirmed, (person: AdminPerson) => Promise<unknown>> {
  const setRole = useMutation(api.admin.members.setRole)
  const revokeSessions = useMutation(api.admin.members.revokeSessions)
  const resetTwoStep = useMutation(api.admin.members.resetTwoStep)
  const unlock = useMutation(api.admin.members.unlock)
  return {
    giveAdmin: ({ _id: userId }) => setRole({ userId, role: 'admin' }),
    takeAdmin: ({ _id: userId }) => setRole({ userId, role: 'user' }),
    endSessions: ({ _id: userId }) => revokeSessions({ userId }),
    resetTwoStep: ({ _id: userId }) => resetTwoStep({ userId }),
    unlock: ({ _id: userId }) => unlock({ userId }),
  }
}
