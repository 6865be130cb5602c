// Recovery codes, shown once.
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** They can be copied and downloaded; afterwards nothing shows them again. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation('security')
  const text = `${codes.join('\n')}\n`
  return (
    <div className="flex flex-col gap-4">
      <Alert tone="warning" title={t(($) => $.codes.title)}>
        {t(($) => $.codes.body)}
      </Alert>
      <ul className="grid gap-x-6 gap-y-1 font-mono text-[0.8125rem] sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <CopyButton text={text} label={t(($) => $.codes.copy)} />
        <Button onClick={() => saveFile('parley-recovery-codes.txt', text, 'text/plain')}>
          {t(($) => $.codes.download)}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t(($) => $.codes.done)}
        </Button>
      </div>
    </div>
  )
}
