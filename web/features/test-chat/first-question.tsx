// An empty test chat: whom one talks to, questions to begin with, and what the agent lacks.
import { Link } from 'react-router'
import type { Agent } from '#shared/agents.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'

const SAMPLES = ['delivery', 'returns', 'payment', 'hours'] as const

/** A sample question is sent at once. */
export function FirstQuestion({ agent, onAsk }: { agent: Agent; onAsk: (text: string) => void }) {
  const { t } = useTranslation('test-chat')
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-5 overflow-y-auto px-4 py-10 text-center">
      <Avatar avatar={agent.avatar} name={agent.name} className="size-16 text-lg" />
      <div>
        <h2 className="font-semibold text-lg">{t(($) => $.empty.title, { name: agent.name })}</h2>
        <p className="mt-1 text-muted-foreground">{t(($) => $.empty.body)}</p>
      </div>
      <ul aria-label={t(($) => $.empty.samplesLabel)} className="flex max-w-xl flex-wrap justify-center gap-2">
        {SAMPLES.map((sample) => (
          <li key={sample}>
            <Button className="rounded-full" onClick={() => onAsk(t(($) => $.empty.samples[sample]))}>
              {t(($) => $.empty.samples[sample])}
            </Button>
          </li>
        ))}
      </ul>
      {agent.knowledgeSpaceIds.length === 0 && (
        <Alert tone="warning" className="max-w-xl text-start">
          {t(($) => $.empty.noKnowledge)}{' '}
          <Link
            to={`${paths.agentSettings(agent.slug)}#knowledge`}
            className="font-medium underline underline-offset-2"
          >
            {t(($) => $.empty.addKnowledge)}
          </Link>
        </Alert>
      )}
    </div>
  )
}
