// /admin/flags: what administrators switch off and on for the installation, with exceptions for organizations.
import { useState } from 'react'
import type { Flag } from '#shared/organizations/flags.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { FlagDialog } from './flag-dialog.tsx'
import { FlagRow } from './flag-row.tsx'
import { OverrideDialog } from './override-dialog.tsx'

type Open = { kind: 'flag'; flag: Flag | null } | { kind: 'override'; flag: Flag }

/** Live. */
export function FlagsPage() {
  const { t } = useTranslation('admin')
  const flags: Flag[] | undefined = useQuery(api.admin.flags.list, {})
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <AdminLayout tab="flags">
      <CardSection
        title={t(($) => $.flags.title)}
        description={t(($) => $.flags.description)}
        actions={<Button onClick={() => setOpen({ kind: 'flag', flag: null })}>{t(($) => $.flags.add)}</Button>}
      >
        {flags ? (
          <ul className="divide-y divide-border" aria-label={t(($) => $.flags.title)}>
            {flags.map((flag) => (
              <FlagRow
                key={flag.key}
                flag={flag}
                onEdit={() => setOpen({ kind: 'flag', flag })}
                onExcept={() => setOpen({ kind: 'override', flag })}
              />
            ))}
          </ul>
        ) : (
          <Delayed>
            <Skeleton className="h-64" />
          </Delayed>
        )}
      </CardSection>
      {open?.kind === 'flag' && <FlagDialog flag={open.flag} onClose={close} />}
      {open?.kind === 'override' && <OverrideDialog flag={open.flag} onClose={close} />}
    </AdminLayout>
  )
}
