// /admin/invitations: invitations into all organizations.
import { Download, MailX } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useState } from 'react'
import type { InviteFilters, InvitesFile } from '#shared/organizations/admin-invites.ts'
import { INVITE_STATES } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useRested } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { fetchOnce } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { InviteList } from './invite-list.tsx'

/** In the select, whose values may not be empty. */
const ANY = 'any'

/** Kept in the address. */
const VIEW = { search: parseAsString.withDefault(''), status: parseAsStringLiteral(INVITE_STATES) }

/** Live, page by page. */
export function AdminInvitesPage() {
  const { t } = useTranslation('admin')
  const [{ search, status }, setView] = useQueryStates(VIEW, { history: 'replace' })
  const [isInviting, setInviting] = useState(false)
  const filters: InviteFilters = { search: useRested(search), ...(status !== null && { status }) }
  return (
    <AdminLayout tab="invitations">
      <CardSection
        title={t(($) => $.invites.title)}
        description={t(($) => $.invites.description)}
        actions={
          <Button variant="primary" onClick={() => setInviting(true)}>
            {t(($) => $.invites.invite)}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-2">
            <ListSearch
              className="min-w-0 flex-1 basis-full sm:basis-56"
              label={t(($) => $.invites.search)}
              value={search}
              onChange={(text) => void setView({ search: text || null })}
            />
            <Select
              className="w-auto flex-1 basis-44 sm:max-w-60"
              aria-label={t(($) => $.invites.status)}
              value={status ?? ANY}
              onValueChange={(next) => void setView({ status: INVITE_STATES.find((each) => each === next) ?? null })}
              options={[
                { value: ANY, label: t(($) => $.invites.anyStatus) },
                ...INVITE_STATES.map((each) => ({ value: each, label: t(($) => $.invites.states[each]) })),
              ]}
            />
            <FileButton filters={filters} />
          </div>
          <InviteList
            filters={filters}
            emptyIcon={MailX}
            onShowAll={() => void setView({ search: null, status: null })}
            onInvite={() => setInviting(true)}
          />
        </div>
      </CardSection>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </AdminLayout>
  )
}

function FileButton({ filters }: { filters: InviteFilters }) {
  const { t } = useTranslation('admin')
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const file: InvitesFile = await fetchOnce(api.admin.invites.export, { ...filters, language: currentLanguage() })
      saveFile(file.name, file.csv, 'text/csv')
      if (file.isCut) toast.notice(t(($) => $.invites.cut))
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isForReading isBusy={isBusy} aria-label={t(($) => $.invites.csv)} onClick={() => void save()}>
      {!isBusy && <Download aria-hidden="true" />}
      CSV
    </Button>
  )
}
