// The stages of the search, each with a switch.
import { useId, useState } from 'react'
import { SEARCH_STAGES, type SearchStage } from '#shared/knowledge-search.ts'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type StageSwitchesProps = {
  off: SearchStage[]
  /** Stages that the installation has no model for. */
  missing: readonly SearchStage[]
  onChange: (off: SearchStage[]) => void
}

/** Folded away at first, unless something is off. */
export function StageSwitches({ off, missing, onChange }: StageSwitchesProps) {
  const { t } = useTranslation('rag-tester')
  const [isOpen, setOpen] = useState(off.length > 0)
  return (
    <details
      className="rounded-xl border border-border bg-surface px-4 py-3"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer font-medium">{t(($) => $.stages.title)}</summary>
      <p className="mt-2 text-[0.8125rem] text-muted-foreground">{t(($) => $.stages.hint)}</p>
      <ul className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {SEARCH_STAGES.map((stage) => (
          <Stage
            key={stage}
            stage={stage}
            isOn={!off.includes(stage)}
            isAvailable={!missing.includes(stage)}
            onChange={(isOn) => onChange(SEARCH_STAGES.filter((each) => (each === stage ? !isOn : off.includes(each))))}
          />
        ))}
      </ul>
    </details>
  )
}

type StageProps = { stage: SearchStage; isOn: boolean; isAvailable: boolean; onChange: (isOn: boolean) => void }

function Stage({ stage, isOn, isAvailable, onChange }: StageProps) {
  const { t } = useTranslation('rag-tester')
  const id = useId()
  return (
    <li className="flex items-start gap-3">
      <Switch
        id={id}
        className="mt-0.5"
        checked={isAvailable && isOn}
        disabled={!isAvailable}
        onCheckedChange={onChange}
        aria-describedby={`${id}-hint`}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {t(($) => $.stages[stage])}
        </label>
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
          {isAvailable
            ? t(($) => $.stages[`${stage}Hint`])
            : t(($) => (stage === 'rerank' ? $.stages.noRerank : $.stages.noMeaning))}
        </p>
      </div>
    </li>
  )
}
