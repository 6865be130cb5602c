// The settings of MCP servers: what is listed and entered, which tools are allowed, and what a change of one looks like.
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import type { McpServer, McpTool } from '#shared/tools/mcp-servers.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { NewServerPage } from './new-server-page.tsx'
import { ServerPage } from './server-page.tsx'
import { ServersSection } from './servers-section.tsx'

const shop = {
  ...{ _id: 's1', name: 'Shop', url: 'https://mcp.shop.example/mcp', authorization: 'none', status: 'connected' },
  ...{ failure: null, refreshedAt: Date.now(), tools: { all: 3, allowed: 1, changed: 0 } },
} as unknown as McpServer
const orders = {
  ...{ _id: 't1', name: 'orderStatus', modelName: 'shop_order_status', description: 'The state of an order.' },
  ...{ hash: 'h1', state: 'not_allowed', problem: null, approval: 'none', isOffered: false, failing: null },
  ...{ hints: { isReadOnly: true, isDestructive: false }, usedToday: 7 },
} as unknown as McpTool
const text = { description: 'The state of an order.', schema: '{ "type": "object" }' }
const server = {
  answers: {} as Record<string, unknown>,
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}
type Name = Parameters<typeof getFunctionName>[0]
fakeConvex(() => {
  const call = (name: Name) => (args: unknown) => server.call(getFunctionName(name), args)
  return { useQuery: (name: Name) => server.answers[getFunctionName(name)], useMutation: call, useAction: call }
})

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings', 'tools', 'why')
})
beforeEach(() => {
  server.call.mockReset()
  server.call.mockResolvedValue(null)
  server.answers = {
    'mcpServers:list': [shop],
    'mcpServers/tools:list': [orders],
    'mcpServers/tools:texts': { latest: text, pinned: text },
  }
})

function open(path: string, role: OrganizationRole = 'owner') {
  const router = createMemoryRouter(
    [
      { path: '/settings/tools', element: <ServersSection /> },
      { path: '/settings/mcp-servers/new', element: <NewServerPage /> },
      { path: '/settings/mcp-servers/:serverId', element: <ServerPage /> },
    ],
    { initialEntries: [path] },
  )
  render(asRole(role, <RouterProvider router={router} />))
  return { user: userEvent.setup(), router }
}
const PAGE = '/settings/mcp-servers/s1'

describe('the list', () => {
  it('has servers with how they do', () => {
    const lost = { ...shop, _id: 's2', name: 'Bank', status: 'reauthorization_required' }
    const changed = { ...shop, _id: 's3', name: 'Post', tools: { all: 3, allowed: 1, changed: 2 } }
    server.answers['mcpServers:list'] = [shop, lost, changed]
    open('/settings/tools')
    expect(screen.getByRole('link', { name: 'Shop' })).toHaveAttribute('href', PAGE)
    expect(screen.getAllByText('Allowed: 1 of 3')).toHaveLength(3)
    expect(screen.getByText('authorization needed')).toBeVisible()
    expect(screen.getByText('2 tools changed')).toBeVisible()
  })

  it('says what to do when there is none, and who may', () => {
    server.answers['mcpServers:list'] = []
    open('/settings/tools')
    expect(screen.getByText('There are no MCP servers. Add one, so that agents can use its tools.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add a server' })).toHaveAttribute('href', '/settings/mcp-servers/new')
  })

  it('lets those who do not keep keys look only', () => {
    open('/settings/tools', 'builder')
    expect(screen.queryByRole('link', { name: 'Add a server' })).toBeNull()
  })
})

describe('a new server', () => {
  async function fill(user: ReturnType<typeof userEvent.setup>) {
    await user.type(screen.getByLabelText('Name'), 'Shop')
    await user.type(screen.getByLabelText('Address'), 'https://mcp.shop.example/mcp')
  }

  it('is connected with a token, which must be there', async () => {
    const { user, router } = open('/settings/mcp-servers/new')
    await fill(user)
    await user.click(screen.getByRole('radio', { name: /Token/ }))
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(screen.getByRole('alert')).toHaveTextContent('Fill in all fields.')
    await user.type(screen.getByLabelText('Token', { selector: 'input[type=password]' }), 'key')
    server.call.mockResolvedValue({ serverId: 's1', failure: null })
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    const entered = { name: 'Shop', url: 'https://mcp.shop.example/mcp', authorization: 'bearer', token: 'key' }
    expect(server.call).toHaveBeenLastCalledWith('mcpServers:connect', entered)
    expect(router.state.location.pathname).toBe(PAGE)
  })

  it('says why it is refused', async () => {
    const { user } = open('/settings/mcp-servers/new')
    await fill(user)
    server.call.mockRejectedValue(new AppError('mcp_url_internal'))
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(screen.getByRole('alert')).toHaveTextContent('This address leads into an internal network')
  })

  it('with OAuth leads on to the consent, and to its page when there is none', async () => {
    const { user, router } = open('/settings/mcp-servers/new')
    await fill(user)
    await user.click(screen.getByRole('radio', { name: /OAuth/ }))
    server.call.mockImplementation(async (name) => {
      if (name === 'mcpServers:authorize') throw new AppError('mcp_oauth_refused')
      return { serverId: 's1', failure: null }
    })
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers:authorize', { serverId: 's1' })
    expect(router.state.location.pathname).toBe(PAGE)
  })
})

describe('a tool', () => {
  it('is allowed as it was seen, and no more', async () => {
    const { user } = open(PAGE)
    expect(screen.getByText('only reads, says the server')).toBeVisible()
    await user.click(screen.getByRole('switch', { name: 'orderStatus' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers/tools:allow', { toolId: 't1', hash: 'h1' })
  })

  it('that is allowed shows who approves, and is disallowed', async () => {
    server.answers['mcpServers/tools:list'] = [{ ...orders, state: 'allowed', approval: 'operator' }]
    const { user } = open(PAGE)
    expect(screen.getByRole('combobox', { name: 'Approval of calls: orderStatus' })).toHaveTextContent('A colleague')
    await user.click(screen.getByRole('switch', { name: 'orderStatus' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers/tools:disallow', { toolId: 't1' })
  })

  it('that has changed shows what, and is allowed again', async () => {
    server.answers['mcpServers/tools:list'] = [{ ...orders, state: 'changed', hash: 'h2' }]
    const latest = { ...text, description: 'The state of every order.' }
    server.answers['mcpServers/tools:texts'] = { latest, pinned: text }
    const { user } = open(PAGE)
    const shown = within(screen.getByRole('region', { name: 'Description' }))
    expect(shown.getByText('an')).toBeVisible()
    expect(shown.getByText('every')).toBeVisible()
    expect(screen.queryByRole('switch')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Allow again' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers/tools:allow', { toolId: 't1', hash: 'h2' })
  })

  it('that cannot be used says why, and that is gone is taken from the list', async () => {
    server.answers['mcpServers/tools:list'] = [
      { ...orders, problem: 'schema_too_large' },
      { ...orders, _id: 't2', name: 'gone', state: 'gone' },
    ]
    const { user } = open(PAGE)
    expect(screen.getByText('Cannot be used: the schema of its arguments is too large.')).toBeVisible()
    expect(screen.getByRole('switch', { name: 'orderStatus' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Remove from the list' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers/tools:disallow', { toolId: 't2' })
  })

  it('is looked at by those who may not allow it', async () => {
    const { user } = open(PAGE, 'builder')
    expect(screen.getByRole('switch', { name: 'orderStatus' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Description and schema' }))
    expect(screen.getByText('shop_order_status')).toBeVisible()
  })
})

describe('a server', () => {
  it('is refreshed, and removed after a question', async () => {
    const { user, router } = open(PAGE)
    await user.click(screen.getByRole('button', { name: 'Refresh the tools' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers:refresh', { serverId: 's1' })
    await user.click(screen.getByRole('button', { name: 'Remove the server' }))
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove the server' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers:remove', { serverId: 's1' })
    expect(router.state.location.pathname).toBe('/settings/tools')
  })

  it('whose token is refused takes another', async () => {
    server.answers['mcpServers:list'] = [{ ...shop, authorization: 'bearer', status: 'reauthorization_required' }]
    const { user } = open(PAGE)
    expect(screen.getByText(/The server does not accept the access any more/)).toBeVisible()
    await user.type(screen.getByLabelText('New token'), 'another')
    await user.click(screen.getByRole('button', { name: 'Replace the token' }))
    expect(server.call).toHaveBeenLastCalledWith('mcpServers:setToken', { serverId: 's1', token: 'another' })
  })

  it('says how its consent ended, how its last look failed, and that it is gone', () => {
    server.answers['mcpServers:list'] = [{ ...shop, failure: 'timeout' }]
    open(`${PAGE}?result=denied`)
    expect(screen.getByText('You have not given the consent. The server stays as it was.')).toBeVisible()
    expect(screen.getByText('The service did not answer in time.')).toBeVisible()
    open('/settings/mcp-servers/other')
    expect(screen.getByText('There is no such server')).toBeVisible()
  })
})
