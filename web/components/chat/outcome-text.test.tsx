// The texts for a message that did not arrive.
import { renderHook } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { useDeliveryErrorText } from './outcome-text.ts'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})

const textOf = (error: string) => renderHook(() => useDeliveryErrorText()).result.current(error)

it.each(['permanent: advertising: 131049 kept back', 'undelivered: advertising: 131049 kept back'])(
  'withheld advertising is not reported as a fault of the customer or of the channel: %s',
  (error) => {
    const { text, detail } = textOf(error)
    expect(text).toMatch(/^WhatsApp does not show this advertising to this customer/)
    expect(detail).toBe('131049 kept back')
  },
)

it('a refusal by the settings of the business account is reported as that, not as a fault of the message', () => {
  const { text, detail } = textOf('permanent: business: 400 Bad Request: BUSINESS_CONNECTION_INVALID')
  expect(text).toMatch(/^The owner of the Telegram account has removed the bot/)
  expect(detail).toBe('400 Bad Request: BUSINESS_CONNECTION_INVALID')
})

it('any other refusal is shown verbatim', () => {
  expect(textOf('permanent: 131053 too large')).toEqual({
    text: 'The channel refused the message.',
    detail: '131053 too large',
  })
})
