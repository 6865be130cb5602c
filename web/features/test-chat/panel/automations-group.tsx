// What the agent does by itself, how it is set, and what of it works here.
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import type { VariantControls } from '../use-controls.ts'
import { ToolControls } from './tool-controls.tsx'

type Automation = {
  name: 'phrases' | 'hours' | 'limits' | 'buffer' | 'followUps'
  isOn: boolean
  /** Anchor in the agent's settings. */
  section: string
}

/** Tools can be tried with and without; the rest is shown as the agent has it. */
export function AutomationsGroup({ agent, state }: { agent: Agent; state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  return (
    <>
      <ToolControls agent={agent} state={state} />
      <ul className="flex flex-col gap-3">
        {automationsOf(agent).map(({ name, isOn, section }) => (
          <li key={name} className="flex flex-col gap-0.5 text-sm">
            <span className="flex items-center justify-between gap-3">
              <Link
                to={`${paths.agentSettings(agent.slug)}#${section}`}
                className="inline-flex min-h-6 items-center font-medium underline-offset-2 hover:underline pointer-coarse:min-h-11"
              >
                {t(($) => $.automations[name].title)}
              </Link>
              <Badge tone={isOn ? 'success' : 'neutral'}>{t(($) => $.automations[isOn ? 'on' : 'off'])}</Badge>
            </span>
            <span className="text-[0.8125rem] text-muted-foreground leading-5">
              {t(($) => $.automations[name].here)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function automationsOf({ handoff, availability, spam, buffer, followUps }: Agent): Automation[] {
  return [
    { name: 'phrases', isOn: handoff.customer.stop.length > 0, section: 'handoff' },
    { name: 'hours', isOn: availability.isLimited, section: 'availability' },
    { name: 'limits', isOn: spam.agentDailyLimit !== null || spam.customerDailyLimit !== null, section: 'spam' },
    { name: 'buffer', isOn: buffer.seconds > 0, section: 'buffer' },
    { name: 'followUps', isOn: followUps.isOn, section: 'follow-ups' },
  ]
}
