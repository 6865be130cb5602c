// Above every page while an administrator of the installation acts on behalf of the organization: its members see who and why, and they
// themselves where they are and the way out.
import { LifeBuoy } from 'lucide-react'
import type { SupportAccess } from '#shared/organizations/support.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatMoment } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'

/** Live. Its height is at least that of `--notice`, which pages that fill the window leave free. */
export function SupportNotice({ className }: { className?: string }) {
  const { supportAccesses } = useCurrentUser()
  const own = supportAccesses.find(({ isOwn }) => isOwn)
  const shown = own ?? supportAccesses[0]
  return <div className={className}>{shown && <Access access={shown} others={supportAccesses.length - 1} />}</div>
}

function Access({ access, others }: { access: SupportAccess; others: number }) {
  const { t } = useTranslation('support')
  const { organization } = useCurrentUser()
  const { name, reason, mayWrite, endsAt, isOwn } = access
  return (
    <section
      aria-label={t(($) => $.label)}
      className="flex min-h-(--notice) items-center gap-3 bg-warning-soft px-4 py-1.5 text-sm text-warning-soft-foreground sm:px-6 print:hidden"
    >
      <LifeBuoy aria-hidden="true" className="size-4 shrink-0" />
      <p className="line-clamp-4 min-w-0 flex-1 sm:line-clamp-2" title={reason}>
        <span className="font-medium">
          {isOwn ? t(($) => $.own, { name: organization?.name ?? '' }) : t(($) => $.others, { name })}
        </span>{' '}
        {mayWrite ? t(($) => $.writes) : t(($) => $.reads)}{' '}
        {t(($) => $.until, { time: formatMoment(endsAt, Date.now()) })}.{' '}
        {others > 0 && t(($) => $.more, { count: others })} {t(($) => $.reason, { reason })}
      </p>
      {isOwn && <EndButton access={access} />}
    </section>
  )
}

/** The tab leaves the organization by itself once the server says that it is out. */
function EndButton({ access: { _id: accessId } }: { access: SupportAccess }) {
  const { t } = useTranslation('support')
  const end = useMutation(api.admin.support.end)
  return (
    <Button size="sm" onClick={() => void end({ accessId }).catch(() => undefined)}>
      {t(($) => $.end)}
    </Button>
  )
}
