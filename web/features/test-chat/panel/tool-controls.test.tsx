// Tools and channels that a tester puts in place of the agent's own.
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { useState } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { type Controls, withControl } from '../controls.rules.ts'
import { ChannelControl } from './channel-control.tsx'
import { ToolControls } from './tool-controls.tsx'

/** Tools of the organization, of which the agent has the first. */
const listed = ['order_status', 'stock'].map((name) => ({ _id: name, name, description: `About ${name}` }))
/** Tools of MCP servers; the last cannot be given to models. */
const ofServers = ['shop_find', 'shop_buy', 'shop_hidden'].map((name) => ({
  ...{ _id: name, modelName: name, name, server: 'Shop', description: `About ${name}`, failing: null },
  isOffered: name !== 'shop_hidden',
}))
type Name = Parameters<typeof getFunctionName>[0]
fakeConvex(() => ({ useQuery: (name: Name) => (getFunctionName(name) === 'tools:list' ? listed : ofServers) }))
const functions = { off: [], tools: ['order_status'], mcpTools: ['shop_find'] }
const agent = { ...agentSettings.parse({ model: 'test/one', functions }), knowledgeSpaceIds: [] as string[] } as Agent

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('test-chat', 'conversations')
})

let controls: Controls = {}

function Panel({ start }: { start: Controls }) {
  const [set, setSet] = useState(start)
  controls = set
  const state = {
    controls: set,
    set: <Key extends keyof Controls>(key: Key, value: Controls[Key] | undefined) =>
      setSet(withControl(set, key, value, agent)),
    resetAll: () => setSet({}),
    isPromptLocal: false,
    goneSpaces: 0,
  }
  return (
    <>
      <ToolControls agent={agent} state={state} />
      <ChannelControl state={state} />
    </>
  )
}

const tool = (name: string) => screen.getByRole('switch', { name })

describe('a tool of the agent', () => {
  it('is as the agent has it, is marked when it differs, and is set back', async () => {
    render(<Panel start={{}} />)
    const names = ['Search the web', 'Compute with tables', 'Offer choices', 'Hand over on its own']
    expect(names.map((name) => tool(name).getAttribute('aria-checked'))).toEqual(['true', 'true', 'false', 'true'])
    for (const name of names) await userEvent.click(tool(name))
    expect(controls).toEqual({ webSearch: false, tables: false, choices: true, byAgent: false })
    await userEvent.click(screen.getByRole('button', { name: 'Reset: Search the web' }))
    await userEvent.click(tool('Offer choices'))
    expect(controls).toEqual({ tables: false, byAgent: false })
  })

  it('of the organization is tried or left out, whether the agent has it or not', async () => {
    render(<Panel start={{}} />)
    expect(tool('order_status')).toBeChecked()
    await userEvent.click(tool('stock'))
    expect(controls).toEqual({ httpTools: ['order_status', 'stock'] })
    await userEvent.click(tool('order_status'))
    expect(controls).toEqual({ httpTools: ['stock'] })
    await userEvent.click(tool('stock'))
    await userEvent.click(tool('order_status'))
    expect(controls).toEqual({})
  })

  it('of an MCP server is tried or left out, if models can be given it', async () => {
    render(<Panel start={{}} />)
    expect(screen.queryByRole('switch', { name: 'shop_hidden' })).toBeNull()
    expect(tool('shop_find')).toBeChecked()
    await userEvent.click(tool('shop_buy'))
    await userEvent.click(tool('shop_find'))
    expect(controls).toEqual({ mcpTools: ['shop_buy'] })
    await userEvent.click(tool('shop_find'))
    await userEvent.click(tool('shop_buy'))
    expect(controls).toEqual({})
  })

  it('that comes with spaces is off without them, and cannot be switched', () => {
    render(<Panel start={{ knowledge: false }} />)
    for (const name of ['Search the web', 'Compute with tables']) {
      expect(tool(name)).toBeDisabled()
      expect(tool(name)).not.toBeChecked()
    }
    expect(tool('Hand over on its own')).toBeEnabled()
  })
})

describe('a channel', () => {
  it.each([
    ['telegram', 'Up to 4,096 characters per message, with buttons, with formatting.'],
    ['whatsapp', 'Up to 20,000 characters per message, no buttons, with formatting.'],
    ['webchat', 'Up to 4,096 characters per message, no buttons, with formatting.'],
    ['http', 'Up to 10,000 characters per message, no buttons, no formatting.'],
  ] as const)('%s says what customers get to see there', (channel, facts) => {
    const { container } = render(<Panel start={{ channel }} />)
    expect(within(container).getByText(facts)).toBeInTheDocument()
  })
})
