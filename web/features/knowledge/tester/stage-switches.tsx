// The stages of the search, each with a switch.
import { useId, useState } from 'react'
import { SEARCH_STAGES, type SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Why a stage that a model carries out is not there. */
const MISSING = { rewrite: 'noRewrite', meaning: 'noMeaning', rerank: 'noRerank' } as const
type ModelStage = keyof typeof MISSING

type StageSwitchesProps = {
  stages: readonly SearchStage[]
  off: SearchStage[]
  /** Stages that there is no model for. */
  missing: readonly ModelStage[]
  onChange: (off: SearchStage[]) => void
}

/** Folded away at first, unless something is off. */
export function StageSwitches({ stages, off, missing, onChange }: StageSwitchesProps) {
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
        {stages.map((stage) => (
          <Stage
            key={stage}
            stage={stage}
            isOn={!off.includes(stage)}
            missing={missing.find((each) => each === stage)}
            onChange={(isOn) => onChange(SEARCH_STAGES.filter((each) => (each === stage ? !isOn : off.includes(each))))}
          />
        ))}
      </ul>
    </details>
  )
}

type StageProps = {
  stage: SearchStage
  isOn: boolean
  missing: ModelStage | undefined
  onChange: (isOn: boolean) => void
}

function Stage({ stage, isOn, missing, onChange }: StageProps) {
  const { t } = useTranslation('rag-tester')
  const id = useId()
  return (
    <li className="flex items-start gap-3">
      <Switch
        id={id}
        className="mt-0.5"
        checked={!missing && isOn}
        disabled={missing !== undefined}
        onCheckedChange={onChange}
        aria-describedby={`${id}-hint`}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {t(($) => $.stages[stage])}
        </label>
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
          {missing ? t(($) => $.stages[MISSING[missing]]) : t(($) => $.stages[`${stage}Hint`])}
        </p>
      </div>
    </li>
  )
}
