// Other knowledge than the agent's, or none.
import { useId } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Label } from '#web/components/ui/label.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import type { VariantControls } from '../use-controls.ts'
import { Changed, SwitchControl } from './control.tsx'

/** Every space of the organization; the agent's own are on unless changed. */
export function KnowledgeGroup({ agent, state }: { agent: Agent; state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const id = useId()
  const spaces: KnowledgeSpace[] | undefined = useQuery(api.knowledge.spaces.list, {})
  const { controls, set } = state
  const isOn = controls.knowledge ?? true
  const chosen = new Set<string>(controls.spaces ?? agent.knowledgeSpaceIds)

  function choose(spaceId: string, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(spaceId)
    else next.delete(spaceId)
    set('spaces', [...next].sort())
  }
  return (
    <>
      <SwitchControl
        state={state}
        name="knowledge"
        label={t(($) => $.knowledge.isOn)}
        hint={t(($) => $.knowledge.isOnHint)}
        isOn={isOn}
        onChange={(next) => set('knowledge', next)}
      />
      {spaces?.length === 0 && <p className="text-muted-foreground text-sm">{t(($) => $.knowledge.none)}</p>}
      {spaces && spaces.length > 0 && (
        <fieldset className="flex flex-col gap-1" disabled={!isOn}>
          <legend className="mb-1.5 font-medium text-sm">{t(($) => $.knowledge.spaces)}</legend>
          {spaces.map((space) => (
            <div key={space._id} className="flex min-h-8 items-center justify-between gap-3 pointer-coarse:min-h-11">
              <Label htmlFor={`${id}-${space._id}`} className="min-w-0 truncate font-normal">
                {space.name}
              </Label>
              <Switch
                id={`${id}-${space._id}`}
                checked={chosen.has(space._id)}
                disabled={!isOn}
                onCheckedChange={(next) => choose(space._id, next)}
              />
            </div>
          ))}
          <Changed state={state} name="spaces" label={t(($) => $.knowledge.spaces)} />
        </fieldset>
      )}
    </>
  )
}
