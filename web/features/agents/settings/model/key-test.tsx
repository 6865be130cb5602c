// Trying a key out, and what came of it.
import { useState } from 'react'
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'

type Verdict = { isGood: boolean; text: string }

/** Asks the provider for one word. `run` takes a key that is not stored yet; without one the stored key is tried. */
export function useKeyTest(agent: Agent, provider: KeyProvider) {
  const { t } = useTranslation('agents')
  const label = useModelLabel()
  const test = useAction(api.agents.keys.test, { hasToast: false })
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(key?: string) {
    setBusy(true)
    setVerdict(null)
    try {
      const { model } = await test({ agentId: agent._id, provider, ...(key !== undefined && { key }) })
      setVerdict({ isGood: true, text: t(($) => $.keys.good, { model: label(model) }) })
    } catch (failure) {
      setVerdict({ isGood: false, text: describeError(failure).message })
    } finally {
      setBusy(false)
    }
  }
  return { run, verdict, isBusy }
}

/** The outcome in words, announced when it comes. */
export function KeyVerdict({ verdict }: { verdict: Verdict | null }) {
  if (!verdict) return null
  return <Alert tone={verdict.isGood ? 'success' : 'destructive'}>{verdict.text}</Alert>
}
