// Which members accept conversations: a switch for each, a limit and working hours.
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Operator } from '#shared/messaging/operators.ts'
import { api } from '#web/api.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useHoursText } from '#web/components/week/use-hours-text.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { OperatorDialog } from './operator-dialog.tsx'

/** Live: shows changes by colleagues, and the open conversations of each operator. */
export function OperatorsSection() {
  const { t } = useTranslation('settings')
  const operators: Operator[] | undefined = useQuery(api.organizations.operators.list, {})
  const [editedId, setEditedId] = useState<Id<'users'> | null>(null)
  const edited = operators?.find(({ _id }) => _id === editedId)
  return (
    <CardSection title={t(($) => $.team.title)} description={t(($) => $.team.description)}>
      {!operators && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      <ul className="divide-y divide-border">
        {operators?.map((operator) => (
          <OperatorRow key={operator._id} operator={operator} onEdit={() => setEditedId(operator._id)} />
        ))}
      </ul>
      {edited && <OperatorDialog operator={edited} onClose={() => setEditedId(null)} />}
    </CardSection>
  )
}

function OperatorRow({ operator, onEdit }: { operator: Operator; onEdit: () => void }) {
  const { t } = useTranslation('settings')
  const { _id: me } = useCurrentUser()
  const hoursText = useHoursText()
  const update = useMutation(api.organizations.operators.update)
  const { _id: userId, name, acceptsAssignments, capacity, held, hours, isWithinHours } = operator
  const facts = [
    t(($) => $.team.holds, { held, capacity }),
    hours ? hoursText(hours) : t(($) => $.team.always),
    ...(acceptsAssignments && !isWithinHours ? [t(($) => $.team.offHours)] : []),
  ]
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <PersonAvatar person={operator} isInside />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{userId === me ? t(($) => $.team.you, { name }) : name}</p>
        {operator.jobTitle && <p className="truncate text-[0.8125rem]">{operator.jobTitle}</p>}
        <p className="break-words text-[0.8125rem] text-muted-foreground">{facts.join(' · ')}</p>
      </div>
      <Button variant="ghost" size="icon" aria-label={t(($) => $.team.edit, { name })} onClick={onEdit}>
        <Pencil aria-hidden="true" />
      </Button>
      <Switch
        aria-label={t(($) => $.team.takes, { name })}
        checked={acceptsAssignments}
        onCheckedChange={(next) => {
          update({ userId, patch: { acceptsAssignments: next } }).catch(() => undefined) // reported in a toast
        }}
      />
    </li>
  )
}
