// Why a person was led here from a page that is not for them, as the address says.
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Nothing without a reason. */
export function AccessDeniedNote() {
  const { t } = useTranslation()
  const [reason, setReason] = useQueryState('reason', parseAsStringLiteral(['admin_required']))
  if (reason === null) return null
  return (
    <Alert
      tone="destructive"
      title={t(($) => $.accessDenied.title)}
      action={
        <Button size="sm" isForReading onClick={() => void setReason(null)}>
          {t(($) => $.accessDenied.dismiss)}
        </Button>
      }
    >
      {t(($) => $.accessDenied.body)}
    </Alert>
  )
}
