// What never stays in the record of a turn.
import { describe, expect, it } from 'vitest'
import { scrubText } from './trace.ts'

describe('scrubText', () => {
  it.each([
    ['the key sk-proj-Abc123_def456ghi789 works', 'the key ••• works'],
    ['gsk_abcdefghij0123456789', '•••'],
    ['use parley_Ab3-_dEf6hIjK9mNoPqR2tUvWxYz instead', 'use ••• instead'],
    ['bot 123456789:AAH0123456789abcdefghijklmnopqrstuv sends', 'bot ••• sends'],
    ['Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc', 'Authorization: Bearer •••'],
    ['{"access_token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}', '{"access_token":"•••"}'],
    ['AIzaSyA0123456789abcdefghijklmnopqrstuv', '•••'],
    ['AKIAIOSFODNN7EXAMPLE and ghp_abcdefghij0123456789abcd', '••• and •••'],
    ['xoxb-123456789012-abcdef', '•••'],
    ['instance 1101 token 0123456789abcdef0123456789abcdef0123456789abcdef01', 'instance 1101 token •••'],
    ['password: hunter22, thanks', 'password: •••, thanks'],
    ['{"api_key": "qwertyuiop"}', '{"api_key": "•••"}'],
    ['Пароль: секрет123', 'Пароль: •••'],
  ])('takes the secret out of %j', (text, expected) => {
    expect(scrubText(text)).toBe(expected)
  })

  it.each([
    'Order 123456 of 12:30 is ready',
    'a risk-free task-oriented pk-list',
    'bearer of good news',
    'I forgot my password. What now?',
    'Забыл пароль, помогите',
    'The invoice 2026-11-21 of 4 500 roubles',
    'https://example.com/sk-lessons',
  ])('leaves %j as it is', (text) => {
    expect(scrubText(text)).toBe(text)
  })
})
