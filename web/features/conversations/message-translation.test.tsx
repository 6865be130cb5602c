// The translation of what a customer has written, under their message.
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Message } from '#shared/conversations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MessageTranslation, TranslateButton } from './message-translation.tsx'
import { useTranslations } from './use-translations.ts'

const translate = vi.hoisted(() => vi.fn<(args: unknown) => Promise<{ text: string }>>())
vi.mock('#web/lib/convex.ts', () => ({ useAction: () => translate }))

const said = { _id: 'm', author: 'customer', text: 'Где мой заказ?' } as unknown as Message

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

it('shows it in the language of the reader, then in the other, and puts it away', async () => {
  render(<Shown message={said} />)
  await userEvent.click(screen.getByRole('button', { name: 'Translate into English' }))
  expect(screen.getByRole('status')).toHaveTextContent(/In English.*Where is my order\?/)
  await expectAccessible()
  translate.mockReturnValue(new Promise(() => undefined))
  await userEvent.click(screen.getByRole('button', { name: 'Translate into Russian' }))
  expect(screen.getByRole('status')).toHaveTextContent('Being translated into Russian…')
  expect(translate.mock.calls).toEqual([[{ messageId: 'm', language: 'en' }], [{ messageId: 'm', language: 'ru' }]])
})

it('is put away, and is gone when the message says something else or the model fails', async () => {
  const { rerender } = render(<Shown message={said} />)
  const ask = () => userEvent.click(screen.getByRole('button', { name: /^Translate into/ }))
  await ask()
  await userEvent.click(screen.getByRole('button', { name: 'Hide the translation' }))
  expect(screen.queryByRole('status')).toBeNull()
  await ask()
  rerender(<Shown message={{ ...said, text: 'Где моя посылка?' }} />)
  expect(screen.queryByRole('status')).toBeNull()
  translate.mockRejectedValue(new Error('model_failed'))
  await ask()
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
})

it('is offered for words of customers alone', () => {
  const { rerender } = render(<Shown message={{ ...said, author: 'agent' }} />)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<Shown message={{ ...said, text: '' }} />)
  expect(screen.queryByRole('button')).toBeNull()
})
