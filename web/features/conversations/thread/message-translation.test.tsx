// The translation of a customer's message, shown below it.
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Message } from '#shared/messaging/conversations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessageTranslation, TranslateButton } from './message-translation.tsx'
import { useTranslations } from './use-translations.ts'

const translate = vi.hoisted(() => vi.fn<(args: unknown) => Promise<{ text: string }>>())
fakeConvex(() => ({ useAction: () => translate }))

const original = { _id: 'm', author: 'customer', text: 'Где мой заказ?' } as unknown as Message

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  translate.mockReset().mockResolvedValue({ text: 'Where is my order?' })
})

function Shown({ message }: { message: Message }) {
  const translations = useTranslations()
  return (
    <>
      <TranslateButton message={message} translations={translations} />
      <MessageTranslation message={message} translations={translations} />
    </>
  )
}

it('shows it in the language of the reader, then in the other, and keeps the focus on the button', async () => {
  render(<Shown message={original} />)
  const button = screen.getByRole('button', { name: 'Translate into English' })
  await userEvent.click(button)
  expect(button).toHaveFocus()
  expect(screen.getByRole('status')).toHaveTextContent(/In English.*Where is my order\?/)
  await expectAccessible()
  translate.mockReturnValue(new Promise(() => undefined))
  const other = screen.getByRole('button', { name: 'Translate into Russian' })
  await userEvent.click(other)
  expect(screen.getByRole('status')).toHaveTextContent('Translating into Russian…')
  expect(other).toHaveFocus()
  await userEvent.click(other)
  expect(translate.mock.calls).toEqual([[{ messageId: 'm', language: 'en' }], [{ messageId: 'm', language: 'ru' }]])
})

it('is hidden by the same button, and removed when the message is edited or the model fails', async () => {
  const { rerender } = render(<Shown message={original} />)
  const ask = () => userEvent.click(screen.getByRole('button', { name: 'Translate into English' }))
  await ask()
  const hide = screen.getByRole('button', { name: 'Hide the translation' })
  await userEvent.click(hide)
  expect(hide).toHaveFocus()
  expect(screen.queryByRole('status')).toBeNull()
  await ask()
  rerender(<Shown message={{ ...original, text: 'Где моя посылка?' }} />)
  expect(screen.queryByRole('status')).toBeNull()
  translate.mockRejectedValue(new Error('model_failed'))
  await ask()
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
})

it('keeps the current translation when the other language fails', async () => {
  render(<Shown message={original} />)
  await userEvent.click(screen.getByRole('button', { name: 'Translate into English' }))
  translate.mockRejectedValue(new Error('model_failed'))
  await userEvent.click(screen.getByRole('button', { name: 'Translate into Russian' }))
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Where is my order?'))
})

it('shows the latest request, whichever response arrives last', async () => {
  const first = Promise.withResolvers<{ text: string }>()
  translate.mockReturnValueOnce(first.promise)
  render(<Shown message={original} />)
  await userEvent.click(screen.getByRole('button', { name: 'Translate into English' }))
  await userEvent.click(screen.getByRole('button', { name: 'Hide the translation' }))
  await userEvent.click(screen.getByRole('button', { name: 'Translate into English' }))
  await act(async () => first.resolve({ text: 'An older one' }))
  expect(screen.getByRole('status')).toHaveTextContent('Where is my order?')
})

it('is offered only for messages of customers with text', () => {
  const { rerender } = render(<Shown message={{ ...original, author: 'agent' }} />)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<Shown message={{ ...original, text: '' }} />)
  expect(screen.queryByRole('button')).toBeNull()
})
