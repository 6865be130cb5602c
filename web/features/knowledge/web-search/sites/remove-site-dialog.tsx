// The question before a site is removed: its documents go with it.
import { useState } from 'react'
import type { Site } from '#shared/sites.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

/** Open as long as it is mounted. */
export function RemoveSiteDialog({ site, onClose }: { site: Site; onClose: () => void }) {
  const { t } = useTranslation('web-search')
  const remove = useMutation(api.knowledge.sites.remove)
  const [isBusy, setBusy] = useState(false)
  async function confirm() {
    setBusy(true)
    try {
      await remove({ siteId: site._id })
      toast.success(t(($) => $.removeSite.done))
      onClose()
    } catch {
      setBusy(false) // the toast has told; the dialog stays
    }
  }
  return (
    <AlertDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t(($) => $.removeSite.title, { name: new URL(site.url).host })}
      description={t(($) => $.removeSite.description, { count: site.pages.done })}
      confirmLabel={t(($) => $.removeSite.confirm)}
      onConfirm={confirm}
      isDestructive
      isBusy={isBusy}
    />
  )
}
