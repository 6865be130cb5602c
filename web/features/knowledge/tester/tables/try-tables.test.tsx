// Tables in the tester: the chosen arguments are sent unchanged, and the tool's answer is shown.
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { AskableTables, TableCall } from '#shared/knowledge/table-questions.ts'
import type { ColumnType, DataTable } from '#shared/knowledge/tables.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { HttpError } from '#web/lib/errors.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { TryTables } from './try-tables.tsx'

const server = vi.hoisted(() => ({ call: vi.fn<(name: string, args: unknown) => Promise<unknown>>() }))
fakeConvex(() => ({
  useAction: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(reference), args),
}))

const column = (name: string, type: ColumnType) => ({ name, type, samples: [], unfit: 0 })
const prices: Partial<DataTable> = {
  _id: 't1' as Id<'tables'>,
  name: 'Prices.csv',
  rows: 4,
  columns: [column('Item', 'text'), column('Price', 'number')],
}
const LIST: AskableTables = { tables: [prices as DataTable], unlisted: 0 }
const space = { _id: 's1', slug: 'shop', tables: 1 } as KnowledgeSpace
const agent = { _id: 'a1', name: 'Helper', model: 'openai/gpt-5-mini' } as AgentSummary
const call: TableCall = {
  arguments: '{"table":"t1"}',
  output: '{"table":"Prices.csv","matchedRows":2}',
  isRefused: false,
  tableName: 'Prices.csv',
  rows: {
    columns: ['Item', 'Price'],
    rows: [{ number: 2, cells: ['Chair', '300'] }],
    matched: 2,
    computed: {
      groupedBy: null,
      aggregates: [{ function: 'sum', column: 'Price' }],
      groups: [{ key: null, values: [550] }],
      groupCount: 1,
    },
  },
}
const answers: { list: AskableTables | Promise<AskableTables>; ask: TableCall | Error; askModel: unknown } = {
  list: LIST,
  ask: call,
  askModel: { calls: [call], text: 'Two of them.' },
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('rag-tester', 'conversations', 'errors')
})
beforeEach(() => {
  queryClient.clear()
  answers.list = LIST
  answers.ask = call
  server.call.mockReset().mockImplementation(async (name) => {
    const answer = answers[name.split(':')[1] as keyof typeof answers]
    if (answer instanceof Error) throw answer
    return answer
  })
})

const screenOf = (asker?: AgentSummary, question = '') => (
  <QueryClientProvider client={queryClient}>
    <MemoryRouter>
      <TryTables space={space} agent={asker} question={question} />
    </MemoryRouter>
  </QueryClientProvider>
)
let rerender: (ui: ReactNode) => void
function open(asker?: AgentSummary, question = '') {
  cleanup()
  rerender = render(screenOf(asker, question)).rerender
  return userEvent.setup()
}
const asked = () => server.call.mock.calls.findLast(([name]) => name === 'agents/tables:ask')?.[1]

it('sends arguments chosen by keyboard, and shows rows, figures, arguments and output', async () => {
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Add a filter' }))
  const filter = within(screen.getByRole('group', { name: 'Filter 1' }))
  await user.click(screen.getByRole('button', { name: 'Ask the table' }))
  expect(filter.getByText('Enter a value.')).toBeVisible()
  expect(asked()).toBeUndefined()
  await user.type(filter.getByRole('textbox', { name: 'Value' }), 'chair{Enter}')
  const result = within(await screen.findByRole('region', { name: 'Prices.csv' }))
  expect(asked()).toEqual({
    knowledgeSpaceId: 's1',
    question: { table: 't1', filters: [{ column: 1, operator: 'contains', value: 'chair' }], limit: 20 },
  })
  expect(result.getByText('1 of 2 rows')).toBeVisible()
  expect(result.getByRole('cell', { name: '300' })).toBeVisible()
  expect(result.getByRole('rowheader', { name: '550' })).toBeVisible()
  expect(result.getByText(call.output)).toBeInTheDocument()
})

it('computes and sorts only what the columns allow', async () => {
  const user = open(agent)
  await user.click(await screen.findByRole('button', { name: 'Add a calculation' }))
  const figure = within(screen.getByRole('group', { name: 'Calculation 1' }))
  await user.click(figure.getByRole('combobox', { name: 'Compute' }))
  await user.click(screen.getByRole('option', { name: 'Sum' }))
  await user.click(screen.getByRole('combobox', { name: 'Groups' }))
  await user.click(screen.getByRole('option', { name: 'Item' }))
  await user.click(screen.getByRole('combobox', { name: 'Order' }))
  await user.click(screen.getByRole('option', { name: 'By calculation 1' }))
  await user.click(screen.getByRole('button', { name: 'Ask the table' }))
  expect(asked()).toEqual({
    knowledgeSpaceId: 's1',
    agentId: 'a1',
    question: {
      table: 't1',
      aggregates: [{ function: 'sum', column: 2 }],
      groupBy: 1,
      sort: { aggregate: 1, direction: 'asc' },
      limit: 20,
    },
  })
})

it('shows refusals of the tool, and failures of the request', async () => {
  answers.ask = { ...call, isRefused: true, output: 'There is no such table.', tableName: null, rows: null }
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Ask the table' }))
  expect(await screen.findByText('There is no such table.')).toBeVisible()
  answers.ask = new AppError('not_found')
  await user.click(screen.getByRole('button', { name: 'Ask the table' }))
  expect(await screen.findByText('The question could not be asked. Try again')).toBeVisible()
  expect(screen.queryByText('There is no such table.')).toBeNull()
})

it('lets the model of an agent ask, when there are both a question and an agent', async () => {
  let user = open(agent)
  expect(await screen.findByRole('button', { name: 'Ask through the model of “Helper”' })).toBeDisabled()
  user = open(agent, 'How many are cheap?')
  await user.click(await screen.findByRole('button', { name: 'Ask through the model of “Helper”' }))
  expect(await screen.findByText('The model called the tool 1 time.')).toBeVisible()
  expect(screen.getByText('Two of them.')).toBeVisible()
  expect(server.call).toHaveBeenCalledWith('agents/tables:askModel', { agentId: 'a1', query: 'How many are cheap?' })
  open({ ...agent, model: EXTRACTIVE_MODEL }, 'How many are cheap?')
  expect(await screen.findByRole('button', { name: 'Ask the table' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Ask through the model/ })).toBeNull()
})

it('hides the answer of the model when the question changes', async () => {
  const user = open(agent, 'How many are cheap?')
  await user.click(await screen.findByRole('button', { name: 'Ask through the model of “Helper”' }))
  expect(await screen.findByText('Two of them.')).toBeVisible()
  rerender(screenOf(agent, 'How many are dear?'))
  expect(screen.queryByText('Two of them.')).toBeNull()
  expect(screen.getByRole('button', { name: 'Ask through the model of “Helper”' })).toBeEnabled()
})

it('orders groups by the number of rows while no figure is chosen', async () => {
  const user = open()
  await user.click(await screen.findByRole('combobox', { name: 'Groups' }))
  await user.click(screen.getByRole('option', { name: 'Item' }))
  await user.click(screen.getByRole('combobox', { name: 'Order' }))
  expect(screen.queryByRole('option', { name: 'By calculation 1' })).toBeNull()
  await user.click(screen.getByRole('option', { name: 'By number of rows' }))
  await user.click(screen.getByRole('button', { name: 'Ask the table' }))
  expect(asked()).toMatchObject({ question: { groupBy: 1, sort: { aggregate: 1, direction: 'asc' } } })
})

it('is shown while the list of tables loads, and retries a failed load', async () => {
  const loading = Promise.withResolvers<AskableTables>()
  answers.list = loading.promise
  const user = open()
  expect(screen.getByRole('heading', { name: 'Questions to tables' })).toBeVisible()
  expect(await screen.findByText('Loading…')).toBeInTheDocument()
  loading.reject(new HttpError(400, 'Refused')) // other errors are first retried automatically
  expect(await screen.findByText('Could not load the list of tables. Reload the page')).toBeVisible()
  answers.list = LIST
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Ask the table' })).toBeVisible()
  expect(screen.queryByText('Could not load the list of tables. Reload the page')).toBeNull()
})

it('explains where tables come from when there are none', async () => {
  answers.list = { tables: [], unlisted: 0 }
  open()
  const link = await screen.findByRole('link', { name: 'Upload a price list or a stock list' })
  expect(link).toHaveAttribute('href', '/knowledge/tables?spaceSlug=shop')
  open(agent)
  expect(await screen.findByText(/“Helper” has no tables to ask/)).toBeVisible()
})
