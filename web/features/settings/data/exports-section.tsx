// Exports of conversations requested by members.
import type { Export } from '#shared/messaging/exports.ts'
import { api } from '#web/api.ts'
import { ExportItem } from '#web/components/exports/export-item.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Live, with progress. */
export function ExportsSection() {
  const { t } = useTranslation('exports')
  const exports: Export[] | undefined = useQuery(api.conversations.exports.list, {})
  return (
    <CardSection title={t(($) => $.section.title)} description={t(($) => $.section.description)}>
      {!exports && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {exports?.length === 0 && <p className="text-muted-foreground">{t(($) => $.section.none)}</p>}
      <ul className="flex flex-col gap-4">
        {exports?.map((item) => (
          <ExportItem key={item._id} item={item} hasAuthor />
        ))}
      </ul>
    </CardSection>
  )
}
