// The question what to do when a colleague has saved while one was editing.
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { sectionsOf } from './sections.ts'
import type { AgentEditing } from './use-agent-form.ts'

type ConflictDialogProps = { version: number; conflict: NonNullable<AgentEditing['conflict']> }

/** Keeping one's own changes puts them on top of what was saved; they are saved by the next press of Save. */
export function ConflictDialog({ version, conflict }: ConflictDialogProps) {
  const { t } = useTranslation('agents')
  const clashes = sectionsOf(conflict.keys).map((section) => t(($) => $.sections[section].title))
  return (
    <AlertDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && conflict.keepMine()}
      title={t(($) => $.conflict.title)}
      description={t(($) => $.conflict.body, { version })}
      cancelLabel={t(($) => $.conflict.keepMine)}
      confirmLabel={t(($) => $.conflict.loadTheirs)}
      onConfirm={conflict.loadTheirs}
      isDestructive
    >
      <p>
        {clashes.length > 0
          ? t(($) => $.conflict.clashes, { sections: clashes.join(', ') })
          : t(($) => $.conflict.noClashes)}
      </p>
    </AlertDialog>
  )
}
