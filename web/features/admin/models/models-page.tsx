// /admin/models: what models cost, which are offered, and which one new agents get.
import { useState } from 'react'
import type { AdminModel, AdminModels } from '#shared/organizations/model-settings.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { ModelItem } from './model-item.tsx'
import { PriceDialog } from './price-dialog.tsx'

/** Live. Models of unknown price that are used come first: their cost is in no sum. */
export function ModelsPage() {
  const { t } = useTranslation('admin')
  const found: AdminModels | undefined = useQuery(api.admin.models.list, {})
  const [priced, setPriced] = useState<string | null>(null)
  const models = found?.models ?? []
  const unpriced = models.filter(({ use }) => use.unpricedCalls > 0)
  const others = models.filter(({ use }) => use.unpricedCalls === 0)
  const chosen = models.find(({ name }) => name === priced)
  const calls = unpriced.reduce((all, { use }) => all + use.unpricedCalls, 0)
  const list = (of: AdminModel[]) => (
    <ul className="divide-y divide-border">
      {of.map((model) => (
        <ModelItem key={model.name} model={model} onPrice={() => setPriced(model.name)} />
      ))}
    </ul>
  )
  return (
    <AdminLayout tab="models">
      {unpriced.length > 0 && (
        <CardSection title={t(($) => $.models.unpricedTitle)}>
          <Alert tone="warning" className="mb-4">
            {t(($) => $.models.unpricedHint, { count: calls, value: formatNumber(calls) })}
          </Alert>
          {list(unpriced)}
        </CardSection>
      )}
      <CardSection title={t(($) => $.models.title)} description={t(($) => $.models.description)}>
        {found ? (
          list(others)
        ) : (
          <Delayed>
            <Skeleton className="h-96" />
          </Delayed>
        )}
      </CardSection>
      {chosen && <PriceDialog key={chosen.name} model={chosen} onClose={() => setPriced(null)} />}
    </AdminLayout>
  )
}
