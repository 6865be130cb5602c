// Which passwords are refused.
import { describe, expect, it } from 'vitest'
import { isGuessable } from './password-rules.ts'

describe('a password is refused', () => {
  it.each([
    'password',
    'Password',
    'PASSWORD1',
    'Password123!',
    '12345678',
    '87654321',
    'aaaaaaaa',
    'абабабаб',
    'qwertyui',
    'QwertyUIOP',
    'йцукенгш',
    'фывапролд',
    'пароль123',
    'gfhjkm123',
    'iloveyou',
    'passw0rd',
    '1q2w3e4r',
    'abcdefgh',
    '11111111111111111111',
    'ｐａｓｓｗｏｒｄ',
    'parol2024',
    'пароль2026',
    'Пароль1!',
    'qwerty_2026',
    'p@ssword',
    'солнышко',
    'passwordpassword',
    'password password',
    'qwertyqwerty',
    '12341234',
    '20262026',
  ])('%s, which guessers try first', (password) => {
    expect(isGuessable(password)).toBe(true)
  })

  it('that is the address of its account, or the name in it', () => {
    expect(isGuessable('Anna.Petrova@Example.test', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('anna.petrova', 'Anna.Petrova@example.test ')).toBe(true)
    expect(isGuessable('anna.petrova', 'boris@example.test')).toBe(false)
    expect(isGuessable('anna.petrova2026', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('anna.petrova1!', 'anna.petrova@example.test')).toBe(true)
  })
})

it.each([
  'correct horse battery staple',
  'correct horse 42',
  'demo-demo',
  'bench-password-1',
  'vT4#hq9!',
  'тихий океан 7',
  'мойкотбарсик',
  'кофейня на углу 2026',
  'kettle-4990-tenge',
  'Zx8-blue-door',
])('%s is taken', (password) => {
  expect(isGuessable(password)).toBe(false)
})
