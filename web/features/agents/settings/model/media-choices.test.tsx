// What a choice for recordings and pictures leads to, and what it lacks.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { FormProvider, useForm } from 'react-hook-form'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import type { MediaProviders } from '#shared/messaging/media.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { OpenSectionsContext } from '../use-open-sections.ts'
import { MultimodalSection } from './multimodal-section.tsx'

const [small, large] = [
  { model: 'small-listener', usdPerMinute: 0.003 },
  { model: 'large-listener', usdPerMinute: null },
]
const providers: MediaProviders = {
  voice: [
    { provider: 'openai', isConfigured: true, qualities: { standard: small, high: large, premium: large } },
    { provider: 'groq', isConfigured: false, qualities: { standard: small, high: small, premium: small } },
  ],
  images: [{ provider: 'anthropic', isConfigured: false, model: 'looker' }],
  speech: { provider: 'openai', isConfigured: true, model: 'speaker' },
  hasOwnOpenAi: false,
}
vi.mock('#web/lib/server/query-client.ts', () => ({ useFetched: () => ({ value: providers }) }))
fakeConvex(() => ({ useAction: () => () => Promise.resolve(providers) }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents')
})

const base = agentSettings.parse({ model: 'openai/a' })

function Section({ multimodal, keys }: { multimodal: AgentSettings['multimodal']; keys: AgentKey[] }) {
  const form = useForm<AgentForm>({ defaultValues: { ...base, multimodal } })
  const sections = { isOpen: () => true, setOpen: () => {}, showErrors: () => {} }
  return (
    <FormProvider {...form}>
      <OpenSectionsContext value={sections}>
        <MultimodalSection keys={keys} />
      </OpenSectionsContext>
    </FormProvider>
  )
}

type Choices = { listener?: 'openai' | 'groq'; looker?: 'openai' | 'anthropic'; keys?: AgentKey[] }

function open({ listener = 'openai', looker, keys = [] }: Choices) {
  const multimodal = {
    ...base.multimodal,
    voice: { ...base.multimodal.voice, isOn: true, provider: listener },
    images: { ...base.multimodal.images, isOn: looker !== undefined, provider: looker ?? 'openai' },
  }
  const element = <Section multimodal={multimodal} keys={keys} />
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  return userEvent.setup()
}

const keyOf = (provider: AgentKey['provider']): AgentKey => ({
  agentId: 'a1' as AgentKey['agentId'],
  provider,
  maskedKey: '…abcd',
  updatedAt: 0,
})

it('says which model each quality is, at what price, and which qualities are the same', async () => {
  const user = open({})
  expect(screen.getByLabelText('Quality')).toHaveAccessibleDescription('small-listener, $0.0030 per minute')
  await user.click(screen.getByLabelText('Quality'))
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Standardsmall-listener, $0.0030 per minute',
    'Highlarge-listener, exact price unknown',
    'BestThe same as “High”: large-listener',
  ])
})

it('marks a provider without a key, lets it be chosen, and then says what to do', async () => {
  const user = open({})
  await user.click(screen.getByLabelText('Provider'))
  await user.click(screen.getByRole('option', { name: 'Groq no key' }))
  expect(screen.getByLabelText('Provider')).toHaveTextContent('Groq')
  expect(screen.getByRole('status')).toHaveTextContent(/has a key for Groq.*Add a key/)
})

it('marks nothing where the agent has a key of its own', async () => {
  const user = open({ listener: 'groq', looker: 'anthropic', keys: [keyOf('groq'), keyOf('anthropic')] })
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
  await user.click(screen.getAllByLabelText('Provider')[0] as HTMLElement)
  expect(screen.getByRole('option', { name: 'Groq' })).toBeVisible()
})

it('says the same of who looks at pictures', () => {
  open({ looker: 'anthropic' })
  expect(screen.getByRole('status')).toHaveTextContent(/has a key for Anthropic/)
})
