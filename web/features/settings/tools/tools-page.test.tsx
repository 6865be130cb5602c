// The settings of tools: what is listed, what is entered, and that a secret goes in and never comes out.
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ToolPage } from './tool-page.tsx'
import { ToolsPage } from './tools-page.tsx'

const definition = {
  ...{ name: 'order_status', description: 'The state of an order.', method: 'GET', body: '', headers: [], fields: [] },
  ...{ approval: 'none', title: '' },
  url: 'https://api.shop.example/orders/{number}?phone={phone}',
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  bound: [{ argument: 'phone', from: 'phone' }],
  ...{ timeoutSeconds: 5, maxKilobytes: 16, perTurn: 2, perDay: 100 },
}
const example = {
  ...{ at: 0, arguments: { number: 'A-1' }, bound: { phone: '7701' }, result: '{"state":"sent"}' },
  ...{ failure: null, status: 200, durationMs: 12 },
}
const tool = { ...definition, _id: 't1', example, usedToday: 7, updatedAt: 1 }
const failing = { times: 4, failure: 'timeout', at: 0 }
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
    'tools:list': [{ ...tool, failing }],
    'mcpServers:list': [],
    'tools/vault:hosts': [{ host: 'api.shop.example', addedAt: 0 }],
    'tools/vault:secrets': [{ _id: 's1', name: 'Shop', host: 'api.shop.example', updatedAt: 0 }],
  }
})

function open(path: string, role: OrganizationRole = 'owner') {
  const router = createMemoryRouter(
    [
      { path: '/settings/tools', element: <ToolsPage /> },
      { path: '/settings/tools/:toolId', element: <ToolPage /> },
    ],
    { initialEntries: [path] },
  )
  render(asRole(role, <RouterProvider router={router} />))
  return { user: userEvent.setup(), router }
}
const section = (name: string) => within(screen.getByRole('heading', { name }).closest('section') as HTMLElement)

it('lists tools with how they do, hosts and secrets', () => {
  open('/settings/tools')
  expect(screen.getByRole('link', { name: 'order_status' })).toHaveAttribute('href', '/settings/tools/t1')
  expect(screen.getByText('Does not work: 4 failures in a row')).toBeVisible()
  expect(screen.getByText('Today: 7 of 100')).toBeVisible()
  expect(section('Allowed hosts').getByText('api.shop.example')).toBeVisible()
  expect(section('Vault of secrets').getByText('Shop')).toBeVisible()
})

it('allows a host, and says why another is none', async () => {
  const { user } = open('/settings/tools')
  const hosts = section('Allowed hosts')
  server.call.mockRejectedValueOnce(new AppError('tool_host_invalid'))
  await user.type(hosts.getByLabelText('Host'), '10.0.0.1')
  await user.click(hosts.getByRole('button', { name: 'Allow' }))
  expect(hosts.getByText(/This does not look like a host/)).toBeVisible()
  await user.clear(hosts.getByLabelText('Host'))
  await user.type(hosts.getByLabelText('Host'), '*.crm.example')
  await user.click(hosts.getByRole('button', { name: 'Allow' }))
  expect(server.call).toHaveBeenLastCalledWith('tools/vault:addHost', { host: '*.crm.example' })
  expect(hosts.getByLabelText('Host')).toHaveValue('')
})

it('puts a secret in, and empties the form', async () => {
  const { user } = open('/settings/tools')
  const vault = section('Vault of secrets')
  await user.click(vault.getByRole('button', { name: 'Save the secret' }))
  expect(vault.getByText('Enter the name, the host and the value.')).toBeVisible()
  await user.type(vault.getByLabelText('Name'), 'CRM')
  await user.type(vault.getByLabelText('Host of the secret'), 'crm.example')
  await user.type(vault.getByLabelText('Value'), 'key-1')
  await user.click(vault.getByRole('button', { name: 'Save the secret' }))
  const entered = { name: 'CRM', host: 'crm.example', value: 'key-1' }
  expect(server.call).toHaveBeenLastCalledWith('tools/vault:setSecret', entered)
  expect(vault.getByLabelText('Value')).toHaveValue('')
})

it('keeps hosts and secrets from builders, who may make tools', () => {
  open('/settings/tools', 'builder')
  expect(section('Allowed hosts').getByRole('button', { name: 'Allow' })).toBeDisabled()
  expect(section('Vault of secrets').getByRole('button', { name: 'Save the secret' })).toBeDisabled()
  expect(screen.getByRole('link', { name: 'Create a tool' })).toBeVisible()
})

it('makes a tool, after what is wrong with it was shown at its field', async () => {
  const { user, router } = open('/settings/tools/new')
  server.call.mockResolvedValue({ toolId: 't2' })
  await user.type(screen.getByLabelText('Name for the model'), 'hand_off')
  await user.type(screen.getByLabelText('Description for the model'), 'The state of an order.')
  await user.type(screen.getByLabelText('Address'), 'https://api.shop.example/orders/{{number}')
  await user.click(screen.getByRole('button', { name: 'Create' }))
  expect(screen.getByText('A built-in function has this name.')).toBeVisible()
  expect(server.call).not.toHaveBeenCalled()
  await user.clear(screen.getByLabelText('Name for the model'))
  await user.type(screen.getByLabelText('Name for the model'), 'order_state')
  await user.click(screen.getByRole('button', { name: 'Create' }))
  const [name, args] = server.call.mock.lastCall ?? []
  expect(name).toBe('tools:create')
  expect(args).toMatchObject({ tool: { name: 'order_state', method: 'GET', bound: [] } })
  expect(router.state.location.pathname).toBe('/settings/tools/t2')
})

it('tries a tool, and shows what came the last time', async () => {
  const { user } = open('/settings/tools/t1')
  expect(screen.getByText('{"state":"sent"}')).toBeVisible()
  expect(screen.getByText('The service did not answer in time.')).toBeVisible()
  await user.clear(screen.getByLabelText('number'))
  await user.type(screen.getByLabelText('number'), 'A-2')
  await user.click(screen.getByRole('button', { name: 'Try it' }))
  const tried = { toolId: 't1', arguments: { number: 'A-2' }, bound: { phone: '7701' } }
  expect(server.call).toHaveBeenLastCalledWith('tools:test', tried)
})

it('says that a tool is gone', () => {
  open('/settings/tools/other')
  expect(screen.getByText('There is no such tool')).toBeVisible()
})
