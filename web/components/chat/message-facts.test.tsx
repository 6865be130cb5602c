// The line of facts under an answer.
import { render, screen } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '#shared/messaging/conversations.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessageFacts } from './message-facts.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})

const generation: NonNullable<Message['generation']> = {
  model: 'openai/gpt-5-mini',
  inputTokens: 1350,
  outputTokens: 28,
  costMicroUsd: 394,
  latencyMs: 1300,
  firstTokenMs: 800,
}

function facts(more: Partial<typeof generation> = {}): string[] {
  render(
    <TooltipProvider>
      <MessageFacts
        generation={{ ...generation, ...more }}
        modelLabel={(name) => (name === 'openai/gpt-5-mini' ? 'GPT-5 mini' : name)}
      />
    </TooltipProvider>,
  )
  return screen.getAllByRole('listitem').map((item) => item.textContent ?? '')
}

describe('the facts of an answer', () => {
  it('show the display name of the model', () => {
    expect(facts()).toEqual(['GPT-5 mini', '1,350 in / 28 out tokens', '$0.0004', '1.3s (first word after 0.8s)'])
  })

  it('fall back to the configured name of an unknown model', () => {
    expect(facts({ model: 'ollama/qwen-3' })[0]).toBe('ollama/qwen-3')
  })
})
