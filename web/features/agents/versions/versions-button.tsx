// Opens the history of an agent's settings. The open version is kept in the address.
import { History } from 'lucide-react'
import { parseAsInteger, useQueryState } from 'nuqs'
import type { Agent } from '#shared/agents/agents.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { VersionCompare } from './version-compare.tsx'
import { VersionList } from './version-list.tsx'

/** 0 shows the list; a number compares that version with the newest one. */
const LIST = 0

/** A button and the panel that it opens. */
export function VersionsButton({ agent }: { agent: Agent }) {
  const { t } = useTranslation('versions')
  const [version, setVersion] = useQueryState('version', parseAsInteger)
  return (
    <>
      <Button onClick={() => void setVersion(LIST)}>
        <History aria-hidden="true" />
        {t(($) => $.open)}
      </Button>
      <Sheet open={version !== null} onOpenChange={(isOpen) => !isOpen && void setVersion(null)}>
        <SheetContent title={t(($) => $.title)} className="max-w-2xl">
          {version !== null && version > LIST ? (
            <VersionCompare agent={agent} number={version} onBack={() => void setVersion(LIST)} />
          ) : (
            <VersionList agent={agent} onCompare={(number) => void setVersion(number)} />
          )}
        </SheetContent>
      </Sheet>
    </>
  )
}
