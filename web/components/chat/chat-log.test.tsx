// What a log shows of messages: sides, sources, facts, states, announcements, the way back to the newest one.
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Message } from '#shared/messaging/conversations.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ChatLog } from './chat-log.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations', 'why')
})

function message(id: string, more: Partial<Message> = {}): Message {
  return {
    _id: id as Message['_id'],
    conversationId: 'c' as Message['conversationId'],
    author: 'customer',
    authorName: null,
    operator: null,
    text: `text of ${id}`,
    quoted: null,
    forwarded: null,
    editedAt: null,
    status: 'complete',
    reason: null,
    turnId: null,
    agentVersion: null,
    createdAt: Date.parse('2026-03-01T10:00:00Z'),
    sources: [],
    generation: null,
    attachments: [],
    parts: [],
    choices: [],
    unfounded: [],
    deliveries: [],
    ...more,
  }
}
const answer = (more: Partial<Message> = {}) => message('a', { author: 'agent', ...more })
const source = (chunkId: string, page: number | null, score = 0.5): Message['sources'][number] => ({
  chunkId: chunkId as Message['sources'][number]['chunkId'],
  documentId: 'd',
  source: 'Prices.pdf',
  page,
  score,
  excerpt: 'excerpt',
})

function log(messages: Message[], more: Partial<Parameters<typeof ChatLog>[0]> = {}) {
  return (
    <TooltipProvider>
      <ChatLog
        label="Log"
        messages={messages}
        perspective="operator"
        agent={{ name: 'Robo', avatar: null }}
        customerName="Olga"
        onOpenSource={() => {}}
        {...more}
      />
    </TooltipProvider>
  )
}

describe('a log opened through a link to a message', () => {
  it('opens at the message, marks it, and has a button to the newest ones', async () => {
    const scrolledTo = vi.spyOn(Element.prototype, 'scrollIntoView')
    const below = { onNear: vi.fn(), onJump: vi.fn() }
    const messages = ['one', 'two', 'three'].map((id) => message(id))
    render(log(messages, { target: 'two', below }))
    const marked = screen.getByText('text of two').closest('[id]')
    expect(marked).toHaveAttribute('aria-current', 'true')
    expect(document.querySelectorAll('[aria-current]')).toHaveLength(1)
    expect(scrolledTo.mock.instances).toEqual([marked])
    await userEvent.click(screen.getByRole('button', { name: 'Jump to latest' }))
    expect(below.onJump).toHaveBeenCalledOnce()
  })

  it('loads newer messages near its end', () => {
    const below = { onNear: vi.fn(), onJump: vi.fn() }
    render(log([message('one')], { target: 'one', below }))
    fireEvent.scroll(screen.getByRole('region', { name: 'Log' }))
    expect(below.onNear).toHaveBeenCalledOnce()
  })
})

describe('equal system lines in a row', () => {
  it('are collapsed with their count, and each still links to its record', async () => {
    const onWhy = vi.fn()
    const line = (turnId: string) =>
      message(turnId, { author: 'system', text: '', reason: 'outside_hours', turnId: turnId as Message['turnId'] })
    render(log([line('t1'), line('t2')], { onWhy }))
    await userEvent.click(screen.getByText(/outside the agent’s hours.*\(2 times\)/))
    for (const button of screen.getAllByRole('button', { name: 'Why?' })) await userEvent.click(button)
    expect(onWhy.mock.calls.map(([{ turnId }]) => turnId)).toEqual(['t1', 't2'])
  })
})

describe('a message from a messenger', () => {
  it('shows what it replies to, and that the customer has changed it', () => {
    const { rerender } = render(log([message('m', { quoted: 'The red kettle', editedAt: 1 })]))
    expect(screen.getByRole('blockquote')).toHaveTextContent('In reply to: The red kettle')
    expect(screen.getByText('edited')).toBeInTheDocument()
    rerender(log([message('m')]))
    expect(screen.queryByRole('blockquote')).not.toBeInTheDocument()
    expect(screen.queryByText('edited')).not.toBeInTheDocument()
  })

  it('shows which part was taken as a rating, for messages of the customer only', () => {
    const { rerender } = render(log([message('m', { author: 'customer', reason: 'rating' })]))
    expect(screen.getByText('Counted as a rating')).toBeInTheDocument()
    rerender(log([message('m', { author: 'customer', reason: 'rating_comment' })]))
    expect(screen.getByText('Comment on the rating')).toBeInTheDocument()
    rerender(log([message('m', { author: 'agent', reason: 'rating_question' })]))
    expect(screen.queryByText(/rating/)).not.toBeInTheDocument()
  })
})

describe('choices below an answer', () => {
  const offering = answer({ choices: ['Red', 'Blue'] })

  it('are pressed once, and again only when the press failed', async () => {
    const choose = vi.fn(async (_: string): Promise<unknown> => Promise.reject(new Error('offline')))
    render(log([offering], { chooses: () => choose }))
    await userEvent.click(screen.getByRole('button', { name: 'Blue' }))
    choose.mockResolvedValue(null)
    await userEvent.click(screen.getByRole('button', { name: 'Blue' }))
    expect(choose.mock.calls).toEqual([['Blue'], ['Blue']])
    for (const name of ['Red', 'Blue']) expect(screen.getByRole('button', { name })).toBeDisabled()
  })

  it('are plain text where they cannot be pressed', () => {
    render(log([offering], { chooses: () => undefined }))
    expect(screen.getByText('Blue')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Blue' })).toBeNull()
  })
})

describe('a price', () => {
  it.each(['agent', 'customer'] as const)('of %s stays on one line', async (author) => {
    const { container } = render(log([message('p', { author, text: 'Чай – 1 500 тенге' })]))
    await waitFor(() => expect(container.textContent).toContain('1\u00a0500\u00a0тенге'))
  })
})

describe('an answer rendered for a channel', () => {
  it.each([
    ['telegram', 'Telegram', true],
    ['whatsapp', 'WhatsApp', false],
    ['webchat', 'Web chat', true],
    ['http', 'HTTP channel', false],
  ] as const)('%s says so, and is formatted only where customers see it', async (shownAs, channel, isFormatted) => {
    const plain = { ...answer({ text: 'Always **bold**' }), _id: 'b' as Message['_id'] }
    render(log([answer({ parts: ['From **nine**', 'on **Monday**'], shownAs }), plain]))
    expect(screen.getByText(`As shown in: ${channel}`)).toBeInTheDocument()
    expect(await screen.findByText('bold')).toBeInTheDocument() // formatting is loaded by now
    expect(screen.queryByText('nine') !== null).toBe(isFormatted)
    expect(screen.queryByText('From **nine**') === null).toBe(isFormatted)
  })

  it('in one part is shown as it is sent, not as it was written', () => {
    render(log([answer({ text: 'From **nine**', parts: ['From *nine*'], shownAs: 'whatsapp' })]))
    expect(screen.getByText('From *nine*')).toBeInTheDocument()
    expect(screen.queryByText('From **nine**')).toBeNull()
  })
})

describe('a message of the customer', () => {
  it("names the author of forwarded words, and keeps them apart from the customer's own", () => {
    const forwarded = { from: 'Aliya', text: 'Refund approved' }
    render(log([message('f', { text: 'Is it true?\n\nRefund approved', forwarded })]))
    expect(screen.getByText('Forwarded from Aliya')).toBeInTheDocument()
    expect(screen.getByText('Is it true?')).toBeInTheDocument()
    expect(screen.getByText('Refund approved').tagName).toBe('BLOCKQUOTE')
  })

  it('is marked as forwarded when the messenger does not name the author', () => {
    render(log([message('f', { text: 'Hi', forwarded: { from: null, text: 'Hi' } })]))
    expect(screen.getByText('Forwarded')).toBeInTheDocument()
  })

  it('offers "Why?" where the reader may see it, by the keyboard too', async () => {
    const onWhy = vi.fn()
    const question = message('q')
    const messages = [question, message('o', { author: 'operator' }), answer()]
    const { rerender } = render(log(messages, { onWhy }))
    screen.getByRole('button', { name: 'Why the agent answered or stayed silent' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(onWhy).toHaveBeenCalledExactlyOnceWith(question)
    rerender(log(messages))
    expect(screen.queryByRole('button', { name: 'Why the agent answered or stayed silent' })).not.toBeInTheDocument()
  })
})

describe('an answer', () => {
  it('says that its cost is unknown instead of showing zero', () => {
    const generation = { model: 'x/y', inputTokens: 10, outputTokens: 5, latencyMs: 1200, firstTokenMs: 300 }
    const { rerender } = render(log([answer({ generation: { ...generation, costMicroUsd: null } })]))
    expect(screen.getByRole('button', { name: 'cost unknown' })).toBeInTheDocument()
    rerender(log([answer({ generation: { ...generation, costMicroUsd: 12 } })]))
    expect(screen.getByText(/^< .?\$0\.0001/)).toBeInTheDocument()
  })

  it('opens the excerpt of a web page', async () => {
    const onOpenSource = vi.fn()
    const page = {
      ...source('web:1', null),
      documentId: 'https://post.example/rates',
      url: 'https://post.example/rates',
    }
    render(log([answer({ sources: [page] })], { onOpenSource }))
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open Prices.pdf' }))
    expect(onOpenSource).toHaveBeenCalledWith(page, expect.any(String))
  })

  it('offers each page of a document once and opens its best passage', async () => {
    const onOpenSource = vi.fn()
    const sources = [source('1', 3, 0.4), source('2', 3, 0.9), source('3', null)]
    render(log([answer({ sources })], { onOpenSource }))
    expect(screen.getAllByRole('button', { name: /^Open Prices\.pdf/ })).toHaveLength(2)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open Prices.pdf, page 3' }))
    expect(onOpenSource).toHaveBeenCalledWith(sources[1], expect.any(String))
  })

  it('explains a failure in words, or by its code when the reason is unknown', () => {
    render(
      log([
        answer({ status: 'failed', text: '', reason: 'quota' }),
        message('b', { author: 'agent', status: 'failed', text: '', reason: 'new_code' }),
      ]),
    )
    expect(screen.getByText(/run out of money or quota/)).toBeInTheDocument()
    expect(screen.getByText(/\(new_code\)/)).toBeInTheDocument()
  })

  it('of unknown delivery explains itself, and is sent again after the operator confirms that it may arrive twice', async () => {
    const onResend = vi.fn(() => Promise.resolve())
    const deliveries: Message['deliveries'] = [
      { _id: 'p' as Message['deliveries'][number]['_id'], status: 'unknown', error: null, waitsUntil: null },
    ]
    render(log([answer({ deliveries })], { onResend }))
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Delivery unknown' }))
    expect(await screen.findByText(/may or may not have arrived/)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Send again' }))
    expect(onResend).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Send anyway' }))
    expect(onResend).toHaveBeenCalledWith(['p'])
  })
})

describe('a message unknown to the channel', () => {
  it('says so, and can be sent again', async () => {
    const _id = 'p' as Message['deliveries'][number]['_id']
    const deliveries: Message['deliveries'] = [{ _id, status: 'unknown', error: 'not_taken', waitsUntil: null }]
    render(log([answer({ deliveries })], { onResend: () => Promise.resolve() }))
    await userEvent.setup().click(screen.getByRole('button', { name: 'Delivery unknown' }))
    expect(await screen.findByText(/most likely it did not arrive/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Send again' })).toBeInTheDocument()
  })
})

describe('announcements to screen readers', () => {
  const announced = () => screen.getAllByRole('status').at(-1)?.textContent

  it('skip existing messages, announce one word while an answer grows, and then the whole answer', () => {
    const question = message('q')
    const { rerender } = render(log([question]))
    expect(announced()).toBe('')
    rerender(log([question, answer({ status: 'streaming', text: 'Two' })]))
    expect(announced()).toBe('Robo is answering')
    rerender(log([question, answer({ status: 'streaming', text: 'Two days' })]))
    expect(announced()).toBe('Robo is answering')
    rerender(log([question, answer({ text: 'Two days.' })]))
    expect(announced()).toBe('Robo: Two days.')
  })
})

describe('scrolling', () => {
  /** Gives the log a layout, which jsdom lacks. */
  function layOut(viewport: HTMLElement, scrollHeight: number) {
    Object.defineProperty(viewport, 'clientHeight', { configurable: true, value: 500 })
    Object.defineProperty(viewport, 'scrollHeight', { configurable: true, value: scrollHeight })
  }
  function scrollTo(viewport: HTMLElement, top: number) {
    viewport.scrollTop = top
    viewport.dispatchEvent(new Event('scroll'))
  }

  it('follows the newest message at the bottom, and counts new ones when the reader is further up', async () => {
    const { rerender } = render(log([message('1')]))
    const viewport = screen.getByRole('region', { name: 'Log' })
    layOut(viewport, 1000)
    rerender(log([message('1'), message('2')]))
    expect(viewport.scrollTop).toBe(1000)
    scrollTo(viewport, 100)
    expect(await screen.findByRole('button', { name: 'Jump to latest' })).toBeInTheDocument()
    layOut(viewport, 1200)
    rerender(log([message('1'), message('2'), message('3')]))
    expect(viewport.scrollTop).toBe(100)
    await userEvent.setup().click(screen.getByRole('button', { name: '1 new message' }))
    expect(viewport.scrollTop).toBe(1200)
    expect(screen.queryByRole('button', { name: /new message|latest/ })).not.toBeInTheDocument()
  })

  it('loads older messages near the top and keeps the scroll position when they arrive', async () => {
    const onNearTop = vi.fn()
    const { rerender } = render(log([message('3'), message('4')], { onNearTop }))
    const viewport = screen.getByRole('region', { name: 'Log' })
    layOut(viewport, 2000)
    rerender(log([message('3'), message('4')], { onNearTop }))
    scrollTo(viewport, 150)
    expect(onNearTop).toHaveBeenCalled()
    await screen.findByRole('button', { name: 'Jump to latest' })
    layOut(viewport, 2600)
    rerender(log([message('1'), message('2'), message('3'), message('4')], { onNearTop }))
    expect(viewport.scrollTop).toBe(750)
  })
})

it('shows the link of a message that is only a file next to it', () => {
  const file = {
    _id: 'f',
    kind: 'document',
    name: 'a.pdf',
    status: 'waiting',
    url: null,
  } as Message['attachments'][number]
  const actions = ({ _id }: Message) => <button type="button">Link to {_id}</button>
  render(log([message('one', { text: '', attachments: [file] }), message('two', { attachments: [file] })], { actions }))
  expect(screen.getByRole('button', { name: 'Link to one' })).toBeInTheDocument()
  expect(screen.getAllByRole('button', { name: 'Link to two' })).toHaveLength(1)
  expect(screen.getAllByRole('button', { name: 'Copy message' })).toHaveLength(1)
})
