// What stands above the oldest message that is shown of a conversation.
import { Spinner } from '#web/components/ui/spinner.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** `status` is that of the pages of the log. Renders nothing while older ones can still be loaded. */
export function LogStart({ status }: { status: 'LoadingFirstPage' | 'CanLoadMore' | 'LoadingMore' | 'Exhausted' }) {
  const { t } = useTranslation('conversations')
  if (status === 'CanLoadMore' || status === 'LoadingFirstPage') return null
  return (
    <p className="flex items-center justify-center gap-2 text-muted-foreground text-xs">
      {status === 'LoadingMore' && <Spinner />}
      {status === 'LoadingMore' ? t(($) => $.page.loadingOlder) : t(($) => $.page.beginning)}
    </p>
  )
}
