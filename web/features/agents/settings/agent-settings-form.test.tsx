// The settings form in use: saving, drafts, a colleague's save in between, errors, addresses of sections.
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'
import { AgentSettingsForm } from './agent-settings-form.tsx'

/** A whole page in jsdom is slow on a busy machine. */
vi.setConfig({ testTimeout: 30_000 })
const server = vi.hoisted(() => ({ call: vi.fn<(name: string, args: unknown) => Promise<unknown>>() }))
fakeConvex(() => {
  const useCall = (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(reference), args)
  return { useQuery: () => [], useMutation: useCall, useAction: useCall }
})

const spent = { messages: 9, tokens: 900, costUsd: 4.5, unpricedCalls: 0 }
vi.mock('#web/lib/use-month-spend.ts', () => ({
  useMonthSpend: () => ({ agents: [{ ...spent, agentId: agent._id, limitUsd: 5 }] }),
}))

const agent: Agent = {
  _id: 'a1' as Agent['_id'],
  organizationId: 'o1' as Agent['organizationId'],
  slug: 'shop',
  name: 'Shop',
  avatar: null,
  knowledgeSpaceIds: [],
  version: 4,
  liveVersion: 4,
  createdAt: 0,
  updatedAt: 100,
  ...agentSettings.parse({ model: 'openai/a', systemPrompt: 'Be kind.' }),
}
const user = { organization: { timeZone: 'Asia/Almaty' } } as CurrentUser
let arrive: (agent: Agent) => void

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents', 'prompt-generator')
})
beforeEach(() => {
  server.call.mockReset()
  vi.spyOn(toast, 'success').mockReturnValue('')
  vi.spyOn(toast, 'failure').mockReturnValue('')
})

/** The page of an agent that others may change: `arrive` stands for an update of the live query. */
function Page({ start }: { start: Agent }) {
  const [shown, setShown] = useState(start)
  arrive = (next) => act(() => setShown(next))
  return <AgentSettingsForm agent={shown} models={[]} connections={[]} keys={[]} />
}

function open(start: Agent = agent, hash = '', organizationRole: OrganizationRole = 'owner') {
  const element = (
    <NuqsAdapter>
      <TooltipProvider>
        <CurrentUserProvider user={{ ...user, organizationRole }}>
          <Page start={start} />
        </CurrentUserProvider>
      </TooltipProvider>
    </NuqsAdapter>
  )
  const router = createMemoryRouter([{ path: '/agents/:slug/settings', element }], {
    initialEntries: [`/agents/shop/settings${hash}`],
  })
  render(<RouterProvider router={router} />)
  return { user: userEvent.setup(), router }
}

const saveButton = () => screen.queryByRole('button', { name: 'Save' })
const nameField = () => screen.getByRole('textbox', { name: 'Name' })
const promptField = () => screen.getByRole('textbox', { name: 'Instructions' })

describe('saving', () => {
  it('sends what has changed, with the version it is based on, and hides the bar', async () => {
    server.call.mockImplementation(() => Promise.resolve({ ...agent, name: 'Store', version: 4, updatedAt: 200 }))
    const { user } = open()
    expect(saveButton()).not.toBeInTheDocument()
    await user.clear(nameField())
    await user.type(nameField(), 'Store')
    await user.click(saveButton() as HTMLElement)
    expect(server.call.mock.calls).toEqual([
      ['agents:update', { id: 'a1', patch: { name: 'Store' }, baseVersion: 4, isDraft: false }],
    ])
    await waitFor(() => expect(saveButton()).not.toBeInTheDocument())
    expect(nameField()).toHaveValue('Store')
  })

  it('works by Mod+S from within a field', async () => {
    server.call.mockImplementation(() => Promise.resolve({ ...agent, systemPrompt: 'Be kind. Be brief.', version: 5 }))
    const { user } = open()
    await user.type(promptField(), ' Be brief.')
    await user.keyboard('{Control>}s{/Control}')
    expect(server.call).toHaveBeenCalledTimes(1)
  })

  it('sends nothing when nothing has changed, and nothing twice', async () => {
    let answer: (saved: Agent) => void = () => {}
    server.call.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
    const { user } = open()
    await user.type(nameField(), '{Enter}')
    expect(server.call).not.toHaveBeenCalled()
    await user.type(nameField(), '!{Enter}{Enter}')
    await user.keyboard('{Control>}s{/Control}')
    expect(server.call).toHaveBeenCalledTimes(1)
    await act(async () => answer({ ...agent, name: 'Shop!' }))
    expect(saveButton()).not.toBeInTheDocument()
  })

  it('keeps a draft away from customers on request', async () => {
    server.call.mockImplementation(() => Promise.resolve({ ...agent, systemPrompt: 'Be kind!', version: 5 }))
    const { user } = open()
    await user.type(promptField(), '!')
    await user.click(screen.getByRole('button', { name: 'Save as draft' }))
    expect(server.call.mock.calls[0]?.[1]).toMatchObject({ isDraft: true })
  })

  it('keeps what was typed when the server fails, and shows the reason', async () => {
    server.call.mockRejectedValue(new AppError('model_unknown'))
    const { user } = open()
    await user.type(promptField(), '!')
    await user.click(saveButton() as HTMLElement)
    expect(toast.failure).toHaveBeenCalled()
    expect(promptField()).toHaveValue('Be kind.!')
    expect(saveButton()).toBeInTheDocument()
  })

  it('is cancelled by Discard', async () => {
    const { user } = open()
    await user.type(promptField(), '!')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(promptField()).toHaveValue('Be kind.')
    expect(saveButton()).not.toBeInTheDocument()
  })
})

describe('a colleague who saves meanwhile', () => {
  const theirs: Agent = { ...agent, systemPrompt: 'Theirs.', buffer: { seconds: 15 }, version: 5, updatedAt: 200 }

  it('is shown without asking while nothing has been changed here', async () => {
    open()
    arrive({ ...theirs, liveVersion: 5 })
    await waitFor(() => expect(promptField()).toHaveValue('Theirs.'))
    expect(saveButton()).not.toBeInTheDocument()
  })

  it('opens a question before a save, after which both changes are kept', async () => {
    server.call.mockImplementation(() => Promise.resolve({ ...theirs, name: 'Store', version: 6, updatedAt: 300 }))
    const { user } = open()
    await user.clear(nameField())
    await user.type(nameField(), 'Store')
    arrive(theirs)
    expect(nameField()).toHaveValue('Store')
    expect(promptField()).toHaveValue('Be kind.')
    await user.click(saveButton() as HTMLElement)
    const question = await screen.findByRole('alertdialog')
    expect(server.call).not.toHaveBeenCalled()
    await user.click(within(question).getByRole('button', { name: 'Keep my changes' }))
    expect(nameField()).toHaveValue('Store')
    expect(promptField()).toHaveValue('Theirs.')
    await user.click(saveButton() as HTMLElement)
    expect(server.call.mock.calls[0]?.[1]).toMatchObject({ patch: { name: 'Store' }, baseVersion: 5 })
  })

  it('is reported with the names of the sections that both have changed', async () => {
    const { user } = open()
    await user.type(promptField(), ' Mine.')
    arrive(theirs)
    await user.click(saveButton() as HTMLElement)
    expect(await screen.findByText('You both changed: Instructions.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Load their version' }))
    expect(promptField()).toHaveValue('Theirs.')
    expect(saveButton()).not.toBeInTheDocument()
  })

  it('wins the race to the server: the refusal opens the same question', async () => {
    server.call.mockRejectedValueOnce(new AppError('conflict'))
    const { user } = open()
    await user.type(promptField(), ' Mine.')
    await user.click(saveButton() as HTMLElement)
    expect(await screen.findByRole('alertdialog')).toBeInTheDocument()
    expect(toast.failure).not.toHaveBeenCalled()
    arrive(theirs)
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }))
    expect(promptField()).toHaveValue('Be kind. Mine.')
  })

  it('does not block a save by linking knowledge or renaming', async () => {
    server.call.mockImplementation(() => Promise.resolve({ ...agent, version: 5, updatedAt: 300 }))
    const { user } = open()
    await user.type(promptField(), '!')
    arrive({ ...agent, name: 'Renamed', updatedAt: 200 })
    await waitFor(() => expect(nameField()).toHaveValue('Renamed'))
    await user.click(saveButton() as HTMLElement)
    expect(server.call.mock.calls[0]?.[1]).toMatchObject({ patch: { systemPrompt: 'Be kind.!' } })
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })
})

describe('a draft', () => {
  it('is named with the version that answers customers, and published by one press', async () => {
    server.call.mockImplementation(() => Promise.resolve({ ...agent, version: 6, liveVersion: 6 }))
    const { user } = open({ ...agent, version: 6, liveVersion: 4 })
    expect(screen.getByText(/draft, version 6.+answered by version 4/)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Publish version 6' }))
    expect(server.call.mock.calls).toEqual([['agents/versions:publish', { agentId: 'a1', number: 6 }]])
  })
})

describe('the sections', () => {
  it('are collapsed with a summary, and open by their heading', async () => {
    const { user } = open({ ...agent, buffer: { seconds: 15 } })
    const heading = screen.getByRole('button', { name: 'Waiting for more messages' })
    expect(heading).toHaveAccessibleDescription('Waits 15 s for the customer to finish')
    await user.click(heading)
    expect(heading).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByRole('textbox', { name: 'How long to wait for more' })).toHaveValue('15')
  })

  it('are opened by their address, on load and by every link', async () => {
    const { user } = open(agent, '#spam')
    expect(screen.getByRole('button', { name: 'Spam protection' })).toHaveFocus()
    expect(screen.getByRole('textbox', { name: 'Answers per customer a day' })).toBeInTheDocument()
    const list = screen.getByRole('navigation', { name: 'Settings sections' })
    await user.click(within(list).getByRole('link', { name: 'Working hours' }))
    expect(screen.getByRole('button', { name: 'Working hours' })).toHaveFocus()
  })

  it('show which daily limits apply by default, and that an empty field removes them', async () => {
    const { user } = open(agent, '#spam')
    const limit = screen.getByRole('textbox', { name: 'Answers per customer a day' })
    expect(limit).toHaveValue('200')
    expect(limit).toHaveAccessibleDescription(/The default is 200. An empty field removes the limit/)
    await user.clear(limit)
    await user.click(screen.getByRole('switch', { name: 'Pause when a bot writes instead of a customer' }))
    await user.click(saveButton() as HTMLElement)
    const patch = { spam: { ...agent.spam, customerDailyLimit: null }, machineTalk: { isOn: false } }
    await waitFor(() => expect(server.call).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ patch })))
  })

  it('warn of a spending limit when the price of the model is unknown', async () => {
    open({ ...agent, spending: { monthlyLimitUsd: 5 } }, '#spending')
    expect(screen.getByText(/The price of openai\/a is unknown here/)).toBeInTheDocument()
  })

  it('open and take the focus when they hold an error, and nothing is sent', async () => {
    const { user } = open()
    await user.click(screen.getByRole('button', { name: 'Waiting for more messages' }))
    const seconds = screen.getByRole('textbox', { name: 'How long to wait for more' })
    await user.clear(seconds)
    await user.type(seconds, '500')
    await user.click(screen.getByRole('button', { name: 'Waiting for more messages' }))
    await user.click(saveButton() as HTMLElement)
    const shown = await screen.findByRole('textbox', { name: 'How long to wait for more' })
    await waitFor(() => expect(shown).toHaveFocus())
    expect(shown).toHaveAccessibleDescription(/At most 120/)
    expect(screen.getByText('Please check: Waiting for more messages')).toBeInTheDocument()
    expect(server.call).not.toHaveBeenCalled()
  })
})

describe('the spending of the month', () => {
  it('is shown against the saved limit until another one is saved', async () => {
    const { user } = open({ ...agent, spending: { monthlyLimitUsd: 5 } }, '#spending')
    expect(screen.getByText('Spent this month: $4.5000 of $5.00')).toBeVisible()
    expect(screen.getByText(/^Close to the limit: 90% is spent/)).toBeVisible()
    expect(screen.queryByText(/The current limit is/)).not.toBeInTheDocument()
    await user.type(screen.getByLabelText('Limit per calendar month'), '0')
    expect(screen.getByText('Spent this month: $4.5000 of $5.00')).toBeVisible()
    expect(screen.getByText(/^The current limit is \$5\.00/)).toBeVisible()
  })
})

describe('roles', () => {
  it.each(['operator', 'analyst'] as const)(
    'let a member who is %s look into every section and change nothing',
    async (role) => {
      const { user } = open(agent, '', role)
      expect(nameField()).toBeDisabled()
      expect(screen.getByText(/View only/)).toHaveTextContent(`your role is ${role}`)
      await user.click(screen.getByRole('button', { name: 'Waiting for more messages' }))
      expect(screen.getByRole('textbox', { name: 'How long to wait for more' })).toBeDisabled()
      expect(screen.queryByRole('button', { name: /Delete agent/ })).not.toBeInTheDocument()
    },
  )

  it('let a builder change it, keys excepted', () => {
    open(agent, '', 'builder')
    expect(nameField()).toBeEnabled()
    expect(screen.queryByRole('button', { name: 'Keys' })).not.toBeInTheDocument()
  })
})
