// The question before a site is removed: its documents go with it.
import type { Site } from '#shared/knowledge/sites.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Open while mounted. */
export function RemoveSiteDialog({ site, onClose }: { site: Site; onClose: () => void }) {
  const { t } = useTranslation('web-search')
  const remove = useMutation(api.knowledge.sites.remove)
  return (
    <ConfirmDialog
      title={t(($) => $.removeSite.title, { name: new URL(site.url).host })}
      description={t(($) => $.removeSite.description, { count: site.pages.done })}
      confirmLabel={t(($) => $.removeSite.confirm)}
      onConfirm={async () => {
        await remove({ siteId: site._id })
        toast.success(t(($) => $.removeSite.done))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}
