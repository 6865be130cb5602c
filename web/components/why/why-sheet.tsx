// "Why?": what one turn of an agent went through, from the rules it had to pass to the models that were asked.
import type { TurnTrace } from '#shared/trace.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhyRecord } from './why-record.tsx'

type WhySheetProps = {
  isOpen: boolean
  onClose: () => void
  /** Undefined while it is loaded; null while the turn is not over. */
  trace: TurnTrace | null | undefined
  /** What people call the model of this name. */
  modelLabel: (name: string) => string
}

/** A panel from the side, so that the conversation stays in view. */
export function WhySheet({ isOpen, onClose, trace, modelLabel }: WhySheetProps) {
  const { t } = useTranslation('why')
  return (
    <Sheet open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <SheetContent title={t(($) => $.title)} className="max-w-xl">
        {trace === undefined && (
          <Delayed>
            <Skeleton className="h-40" />
          </Delayed>
        )}
        {trace === null && <p className="text-muted-foreground">{t(($) => $.notYet)}</p>}
        {trace && <WhyRecord trace={trace} modelLabel={modelLabel} />}
      </SheetContent>
    </Sheet>
  )
}
