// Begins a check: how large it is, and what that costs.
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import {
  ATTACK_CARRIERS,
  ATTACK_LANGUAGES,
  ATTACKS_COUNT,
  type AttackCheckSize,
} from '#shared/messaging/attack-checks.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

type StartCheckProps = { agent: Agent; isRunning: boolean; onStarted: () => void }

export function StartCheck({ agent, isRunning, onStarted }: StartCheckProps) {
  const { t } = useTranslation('attacks')
  const start = useMutation(api.attackChecks.start)
  const [size, setSize] = useState<AttackCheckSize>('brief')
  const [isBusy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    try {
      await start({ agentId: agent._id, size })
      onStarted()
    } catch {
      // reported in a toast
    } finally {
      setBusy(false)
    }
  }
  const least = ATTACKS_COUNT * ATTACK_LANGUAGES.length
  return (
    <CardSection title={t(($) => $.start.title)} description={t(($) => $.start.cost)}>
      <div className="flex flex-col items-start gap-4">
        <RadioGroup
          label={t(($) => $.start.size)}
          value={size}
          onValueChange={setSize}
          options={[
            {
              value: 'brief',
              label: t(($) => $.start.brief),
              hint: t(($) => $.start.briefHint, { count: ATTACKS_COUNT }),
            },
            {
              value: 'whole',
              label: t(($) => $.start.whole),
              hint: t(($) => $.start.wholeHint, { least, most: least * ATTACK_CARRIERS.length }),
            },
          ]}
        />
        <Button variant="primary" isBusy={isBusy} disabled={isRunning} onClick={() => void begin()}>
          {t(($) => $.start.go)}
        </Button>
        {isRunning && <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.start.isRunning)}</p>}
      </div>
    </CardSection>
  )
}
