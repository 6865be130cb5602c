// A function of an agent: its switch changes the section it belongs to, and its calls are shown.
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import type { AgentFunctionState } from '#shared/tools/functions.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { FunctionRow } from './function-row.tsx'

const settings = agentSettings.parse({
  model: 'test/one',
  functions: { off: ['tables'], tools: ['t1'], mcpTools: ['m1'] },
})
const agent = { ...settings, _id: 'a1', slug: 'salon', version: 3, liveVersion: 3 } as unknown as Agent
const use = { calls: 12, failures: 2, lastAt: Date.now(), costMicroUsd: null }
const call = { turnId: 'u1', position: 0, conversationId: 'c1', name: 'order_status', hasFailed: true, at: Date.now() }
const calls = [{ ...call, refusal: 'tool_day_limit', durationMs: 5 }]
const saved = vi.fn<(args: unknown) => Promise<null>>()
type Name = Parameters<typeof getFunctionName>[0]
fakeConvex(() => ({
  useQuery: (name: Name) => (getFunctionName(name) === 'agentFunctions:calls' ? calls : undefined),
  useMutation: () => saved,
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('tools', 'why')
})
beforeEach(() => {
  saved.mockReset()
  saved.mockResolvedValue(null)
})

const builtIn = (name: 'knowledge' | 'tables' | 'calendar' | 'handoff' | 'choices', isOn: boolean) =>
  ({
    kind: 'built-in',
    name,
    isOn,
    isMissing: name === 'knowledge' || name === 'calendar',
    ...use,
  }) as AgentFunctionState
const http = (isOn: boolean, toolId = 't1') =>
  ({
    kind: 'http',
    name: 'order_status',
    toolId,
    description: 'Orders',
    failing: null,
    isOn,
    ...use,
  }) as AgentFunctionState
const mcp = (isOn: boolean, toolId: string) =>
  ({
    ...{ kind: 'mcp', name: 'shop_orders', toolId, server: 'Shop', description: 'Orders', failing: null },
    ...{ isOffered: false, isOn, ...use },
  }) as AgentFunctionState

function show(state: AgentFunctionState, of = agent, isOpen = false) {
  const onOpen = vi.fn<(isOpen: boolean) => void>()
  render(
    <MemoryRouter>
      <ul>
        <FunctionRow agent={of} state={state} isOpen={isOpen} onOpen={onOpen} />
      </ul>
    </MemoryRouter>,
  )
  return onOpen
}

it.each<[string, AgentFunctionState, object]>([
  ['off', builtIn('knowledge', true), { functions: { off: ['tables', 'knowledge'], tools: ['t1'], mcpTools: ['m1'] } }],
  ['on', builtIn('tables', false), { functions: { off: [], tools: ['t1'], mcpTools: ['m1'] } }],
  ['off', builtIn('calendar', true), { functions: { off: ['tables', 'calendar'], tools: ['t1'], mcpTools: ['m1'] } }],
  ['off', builtIn('handoff', true), { handoff: { ...settings.handoff, byAgent: false } }],
  ['on', builtIn('choices', false), { choices: { isOn: true } }],
  ['off', http(true), { functions: { off: ['tables'], tools: [], mcpTools: ['m1'] } }],
  ['on', http(false, 't2'), { functions: { off: ['tables'], tools: ['t1', 't2'], mcpTools: ['m1'] } }],
  ['off', mcp(true, 'm1'), { functions: { off: ['tables'], tools: ['t1'], mcpTools: [] } }],
  ['on', mcp(false, 'm2'), { functions: { off: ['tables'], tools: ['t1'], mcpTools: ['m1', 'm2'] } }],
])('switched %s changes its section', async (_, state, patch) => {
  show(state)
  await userEvent.click(screen.getByRole('switch'))
  expect(saved).toHaveBeenCalledWith({ id: 'a1', patch, baseVersion: 3, isDraft: false })
})

it('of an MCP server says which, and that the model is not given it', () => {
  show(mcp(true, 'm1'))
  expect(screen.getByText('Server: Shop')).toBeVisible()
  expect(screen.getByText('not given to the model')).toBeVisible()
})

it('changes the draft where there is one', async () => {
  show(builtIn('choices', false), { ...agent, version: 4 })
  await userEvent.click(screen.getByRole('switch'))
  expect(saved).toHaveBeenCalledWith(expect.objectContaining({ isDraft: true, baseVersion: 4 }))
})

it('says how often it was called, failed, and has nothing to work with', () => {
  show(builtIn('knowledge', true))
  expect(screen.getByText('12 calls')).toBeVisible()
  expect(screen.getByText('2 failures')).toBeVisible()
  expect(screen.getByText('nothing to work with')).toBeVisible()
})

it('leads to the calendar where none is connected', () => {
  show(builtIn('calendar', true))
  const link = screen.getByRole('link', { name: 'Set up the calendar' })
  expect(link).toHaveAttribute('href', '/integrations/google_calendar/setup?agentSlug=salon')
})

it('opens its last calls, with why one was not carried out', async () => {
  const onOpen = show(http(true))
  await userEvent.click(screen.getByRole('button', { name: 'Last calls' }))
  expect(onOpen).toHaveBeenCalledWith(true)
  show(http(true), agent, true)
  expect(screen.getByText('The tool was called as often as one day allows.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Conversation' })).toHaveAttribute('href', '/conversations/c1')
})
