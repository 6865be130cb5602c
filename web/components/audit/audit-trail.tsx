// The audit trail with its filters, which stand in the address, and its file. Of an organization, or of all of them.
import { Download, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { AUDIT_RANGES, type AuditChoices, type AuditEntry, type AuditFile } from '#shared/organizations/audit.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { describeError } from '#web/lib/errors.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { fetchOnce, usePaginatedQuery, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { AuditEntryItem } from './audit-entry.tsx'
import { useAuditWords } from './audit-words.ts'
import { filtersOf, useAuditView } from './use-audit-view.ts'

const PAGE_SIZE = 50
/** In selects, whose values may not be empty. */
const ANY = 'any'

/** `isOfAll`: for administrators of the installation. Live. */
export function AuditTrail({ isOfAll = false }: { isOfAll?: boolean }) {
  const { t } = useTranslation('audit')
  const [view] = useAuditView()
  // The functions of administrators take the same arguments and one more.
  const functions = isOfAll ? (api.admin.audit as unknown as typeof api.organizations.audit) : api.organizations.audit
  const filters = filtersOf(view)
  const { results, status, loadMore } = usePaginatedQuery(functions.list, filters, { initialNumItems: PAGE_SIZE })
  const entries: AuditEntry[] = results
  return (
    <div className="flex flex-col gap-4">
      <Toolbar functions={functions} />
      {status === 'LoadingFirstPage' && (
        <Delayed>
          <Skeleton className="h-40" />
        </Delayed>
      )}
      {status !== 'LoadingFirstPage' && entries.length === 0 && <Nothing />}
      <ol className="divide-y divide-border">
        {entries.map((entry) => (
          <AuditEntryItem key={entry._id} entry={entry} hasOrganization={isOfAll} />
        ))}
      </ol>
      {status === 'CanLoadMore' && (
        <Button isForReading className="self-center" onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.more)}
        </Button>
      )}
    </div>
  )
}

type Functions = typeof api.organizations.audit

function Toolbar({ functions }: { functions: Functions }) {
  const { t } = useTranslation('audit')
  const words = useAuditWords()
  const [view, setView] = useAuditView()
  const { range, organizationId } = filtersOf(view)
  const choices: AuditChoices | undefined = useQuery(functions.choices, {
    range,
    ...(organizationId !== undefined && { organizationId }),
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame; these buttons are no form */}
      <div role="group" aria-label={t(($) => $.range)} className="flex flex-wrap gap-1">
        {AUDIT_RANGES.map((each) => (
          <Button
            key={each}
            isForReading
            size="sm"
            variant={range === each ? 'secondary' : 'ghost'}
            aria-pressed={range === each}
            onClick={() => void setView({ range: each })}
          >
            {t(($) => $.ranges[each])}
          </Button>
        ))}
      </div>
      <Filter
        label={t(($) => $.anyActor)}
        value={view.actor}
        onChange={(actor) => void setView({ actor })}
        options={(choices?.actors ?? []).map(({ _id, name, email }) => ({ value: _id, label: name, hint: email }))}
      />
      <Filter
        label={t(($) => $.anyAction)}
        value={view.action}
        onChange={(action) => void setView({ action })}
        options={(choices?.actions ?? []).map((name) => ({ value: name, label: words.action(name) }))}
        nameOf={words.action}
      />
      <FileButton functions={functions} />
    </div>
  )
}

type FilterProps = {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  options: { value: string; label: ReactNode; hint?: ReactNode }[]
  /** Of what is chosen and not among the options; left out: it has none before they are loaded. */
  nameOf?: (value: string) => string
}

/** What is chosen stays offered when nothing of it occurs in the time. */
function Filter({ label, value, onChange, options, nameOf }: FilterProps) {
  const isUnknown = value !== null && !options.some((option) => option.value === value)
  return (
    <Select
      aria-label={label}
      className="w-auto max-w-64"
      value={value ?? ANY}
      onValueChange={(chosen) => onChange(chosen === ANY ? null : chosen)}
      options={[{ value: ANY, label }, ...options, ...(isUnknown ? [{ value, label: nameOf?.(value) ?? label }] : [])]}
    />
  )
}

function FileButton({ functions }: { functions: Functions }) {
  const { t } = useTranslation('audit')
  const [view] = useAuditView()
  async function save() {
    try {
      const asked = { ...filtersOf(view), language: currentLanguage() }
      const file: AuditFile = await fetchOnce(functions.export, asked)
      saveFile(file.name, file.csv, 'text/csv')
      if (file.isCut) toast.success(t(($) => $.cut))
    } catch (error) {
      toast.error(describeError(error).message)
    }
  }
  return (
    <Button isForReading variant="ghost" size="sm" aria-label={t(($) => $.csv)} onClick={() => void save()}>
      <Download aria-hidden="true" />
      CSV
    </Button>
  )
}

function Nothing() {
  const { t } = useTranslation('audit')
  const [view, setView] = useAuditView()
  const isNarrow = view.range !== 'all' || view.actor !== null || view.action !== null
  return (
    <EmptyState
      icon={ScrollText}
      title={t(($) => $.none)}
      description={t(($) => $.noneHint)}
      action={
        isNarrow && (
          <Button isForReading onClick={() => void setView({ range: 'all', actor: null, action: null })}>
            {t(($) => $.showAll)}
          </Button>
        )
      }
    />
  )
}
