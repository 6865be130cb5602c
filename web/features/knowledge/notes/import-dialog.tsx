// The dialog that imports the rows of a CSV file as notes.
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { readCsv } from '#shared/csv.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { IMPORT_NOTES_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { guessColumns, type ImportColumns, type ImportedNote, readNotes } from './import.rules.ts'
import { ImportPreview } from './import-preview.tsx'
import { readTextFile } from './read-text-file.ts'

type Chosen = { fileName: string; rows: string[][]; columns: ImportColumns }

/** Open while mounted. */
export function ImportDialog({ space, onClose }: { space: KnowledgeSpace; onClose: () => void }) {
  const { t } = useTranslation('knowledge')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { progress, run } = useImport(space, onClose)
  const { notes, errors } = chosen ? readNotes(chosen.rows, chosen.columns) : { notes: [], errors: [] }

  async function choose(file: File) {
    const rows = readCsv(await readTextFile(file))
    setChosen({ fileName: file.name, rows, columns: guessColumns(rows) })
  }

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && progress === null && onClose()}>
      <DialogContent
        title={t(($) => $.import.title)}
        description={t(($) => $.import.description)}
        className="max-w-2xl"
      >
        <FileChoice fileName={chosen?.fileName} isDisabled={progress !== null} onChoose={choose} />
        {chosen && (
          <ImportPreview
            rows={chosen.rows}
            columns={chosen.columns}
            notes={notes}
            errors={errors}
            onChange={(columns) => setChosen({ ...chosen, columns })}
          />
        )}
        {progress !== null && (
          <Progress value={progress} label={t(($) => $.import.progress, { percent: formatPercent(progress) })} />
        )}
        <DialogFooter>
          <Button onClick={onClose} disabled={progress !== null}>
            {t(($) => $.notes.cancel)}
          </Button>
          <Button
            variant="primary"
            disabled={notes.length === 0}
            isBusy={progress !== null}
            onClick={() => void run(notes)}
          >
            {t(($) => $.import.run, { count: notes.length })}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

/** Sends the notes in batches. `progress` is 0 to 1 while it runs; batches sent before a failure stay. */
function useImport(space: KnowledgeSpace, onDone: () => void) {
  const { t } = useTranslation('knowledge')
  const importMany = useMutation(api.knowledge.fragments.importMany)
  const [progress, setProgress] = useState<number | null>(null)

  async function run(notes: ImportedNote[]) {
    let [added, changed] = [0, 0]
    try {
      for (let at = 0; at < notes.length; at += IMPORT_NOTES_MAX) {
        setProgress(at / notes.length)
        const group = notes.slice(at, at + IMPORT_NOTES_MAX)
        const done = await importMany({ knowledgeSpaceId: space._id, notes: group })
        added += done.added
        changed += done.changed
      }
      toast.success(t(($) => $.import.done, { count: added, changed }))
      onDone()
    } catch {
      setProgress(null) // reported in a toast; importing again updates the notes already there
    }
  }
  return { progress, run }
}

type FileChoiceProps = { fileName: string | undefined; isDisabled: boolean; onChoose: (file: File) => Promise<void> }

function FileChoice({ fileName, isDisabled, onChoose }: FileChoiceProps) {
  const { t } = useTranslation('knowledge')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className="sr-only"
        tabIndex={-1}
        aria-label={t(($) => $.import.choose)}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = '' // lets the same file be chosen again after a correction
          if (file) void onChoose(file)
        }}
      />
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        <FileUp aria-hidden="true" />
        {t(($) => $.import.choose)}
      </Button>
      {fileName && <span className="min-w-0 truncate text-muted-foreground">{fileName}</span>}
    </div>
  )
}
