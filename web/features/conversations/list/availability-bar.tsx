// Above the inbox: the user's own availability, the operators available now, and the customers waiting for one.
import { Users } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { isFree, type Operator, type Queue } from '#shared/messaging/operators.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { useCallReason } from '../use-call-reason.ts'

/** One line; its popover lists the people and the queue. All of it is live. */
export function AvailabilityBar() {
  const { t } = useTranslation('conversations')
  const { _id: me } = useCurrentUser()
  const id = useId()
  const update = useMutation(api.organizations.operators.update)
  const operators: Operator[] | undefined = useQuery(api.organizations.operators.list, {})
  const queue: Queue | undefined = useQuery(api.conversations.queue, {})
  if (!operators || !queue) return null
  return (
    <div className="flex min-h-11 items-center gap-2 border-border border-b px-4 py-1">
      <Switch
        id={id}
        checked={operators.find(({ _id }) => _id === me)?.acceptsAssignments ?? false}
        onCheckedChange={(acceptsAssignments) => {
          update({ userId: me, patch: { acceptsAssignments } }).catch(() => undefined) // reported in a toast
        }}
      />
      <label htmlFor={id} className="min-w-0 flex-1 truncate text-[0.8125rem]">
        {t(($) => $.desk.taking)}
      </label>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="sm" className="shrink-0">
            <Users aria-hidden="true" />
            <Summary operators={operators} queue={queue} />
          </Button>
        </PopoverTrigger>
        <PopoverContent
          align="end"
          className="max-h-(--radix-popover-content-available-height) w-80 overflow-y-auto"
          aria-label={t(($) => $.desk.label)}
        >
          <People operators={operators} />
          <Waiting queue={queue} />
        </PopoverContent>
      </Popover>
    </div>
  )
}

function Summary({ operators, queue }: { operators: Operator[]; queue: Queue }) {
  const { t } = useTranslation('conversations')
  const count = operators.filter(isFree).length
  const free = count === 0 ? t(($) => $.desk.noneFree) : t(($) => $.desk.free, { count })
  return queue.count > 0 ? `${free} · ${t(($) => $.desk.waiting, { total: queue.count })}` : free
}

function People({ operators }: { operators: Operator[] }) {
  const { t } = useTranslation('conversations')
  const { _id: me } = useCurrentUser()
  const taking = operators.filter(({ acceptsAssignments, held }) => acceptsAssignments || held > 0)
  return (
    <section>
      <h2 className="font-medium">{t(($) => $.desk.people)}</h2>
      {taking.length === 0 && <p className="mt-1 text-muted-foreground">{t(($) => $.desk.nobodyTakes)}</p>}
      <ul className="mt-1">
        {taking.map((operator) => (
          <li key={operator._id} className="flex items-baseline gap-2 py-1">
            <span className="min-w-0 flex-1 truncate">{operator._id === me ? t(($) => $.list.me) : operator.name}</span>
            <span className="shrink-0 text-muted-foreground text-xs">{t(($) => $.desk.state[stateOf(operator)])}</span>
            <span className="shrink-0 text-xs tabular-nums">
              {t(($) => $.desk.holds, { held: operator.held, capacity: operator.capacity })}
            </span>
          </li>
        ))}
      </ul>
      <Link to={paths.team} className="text-[0.8125rem] text-primary underline underline-offset-4">
        {t(($) => $.desk.settings)}
      </Link>
    </section>
  )
}

function stateOf(operator: Operator): 'free' | 'full' | 'offHours' | 'away' {
  if (isFree(operator)) return 'free'
  if (!operator.acceptsAssignments) return 'away'
  return operator.isWithinHours ? 'full' : 'offHours'
}

function Waiting({ queue }: { queue: Queue }) {
  const { t } = useTranslation('conversations')
  const rest = queue.count - queue.first.length
  const reasonOf = useCallReason()
  return (
    <section className="mt-4">
      <h2 className="font-medium">{t(($) => $.desk.queue)}</h2>
      {queue.count === 0 && <p className="mt-1 text-muted-foreground">{t(($) => $.desk.queueEmpty)}</p>}
      <ol className="mt-1">
        {queue.first.map(({ conversationId, customerName, queuedAt, calledFor }, place) => (
          <li key={conversationId} className="flex items-baseline gap-2 py-1">
            <span className="shrink-0 text-muted-foreground text-xs tabular-nums">{formatNumber(place + 1)}.</span>
            <Link
              to={paths.conversation(conversationId)}
              className="min-w-0 flex-1 truncate underline-offset-4 hover:underline pointer-coarse:py-2"
            >
              {customerName || t(($) => $.list.unnamed)}
            </Link>
            <span className="max-w-[45%] truncate text-muted-foreground text-xs">{reasonOf(calledFor)}</span>
            <RelativeTime at={queuedAt} className="shrink-0 text-muted-foreground text-xs" />
          </li>
        ))}
      </ol>
      {rest > 0 && <p className="text-muted-foreground text-xs">{t(($) => $.desk.more, { count: rest })}</p>}
    </section>
  )
}
