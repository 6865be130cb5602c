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
    '!password!',
    '     password',
    '123password',
    '2026qwerty',
    '2026пароль!',
    '19900131',
    '31.01.1990',
    'Москва2026',
    'Almaty2026',
    'Казахстан1',
    'любимая1',
    'гостиница1',
    '!@#$%^&*',
    'password1234567',
    'qwerty_987654',
    'пароль111111',
    'password31011990',
    'Almaty310190',
    '1234567password',
    'рassword',
    'раsswоrd1',
    'qwеrtу2026',
    'пapoль2026',
    'pa55w0rd',
    'p4ssword!',
    'we1come1',
    'drowssap',
    'p a s s w o r d',
    'pass-word-1',
    '+77015550011',
    '87015550011',
    '8 (701) 555-00-11',
    '7015550011',
    '+49 30 901820',
    'Password123456789!',
    'password00000000',
    '1234567password',
    'qwerty19900131',
    'p\u0430ssword',
    'p\u0430ssw\u043erd2026',
    '\u043fa\u0440o\u043bь123',
    '+7 701 555-00-11',
    '87015550011',
    '8(701)5550011',
    '7015550011',
    '89161234567',
    '+493090182000',
  ])('%s, which guessers try first', (password) => {
    expect(isGuessable(password)).toBe(true)
  })

  it('that is the address of its account, or the name in it', () => {
    expect(isGuessable('Anna.Petrova@Example.test', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('anna.petrova', 'Anna.Petrova@example.test ')).toBe(true)
    expect(isGuessable('anna.petrova', 'boris@example.test')).toBe(false)
    expect(isGuessable('anna.petrova2026', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('anna.petrova1!', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('annapetrova', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('Anna_Petrova', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('AnnaPetrova2026!', 'anna.petrova+shop@example.test')).toBe(true)
    expect(isGuessable('example2026', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('Example-2026!', 'anna.petrova@shop.example.test')).toBe(true)
    expect(isGuessable('example.test1', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('Petrova1990', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('2026example', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('ехаmple2026', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('example2026', 'anna@other.test')).toBe(false)
    expect(isGuessable('Petrova2026', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('Петрова1990!', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('petrovapetrova', 'anna.petrova@example.test')).toBe(true)
    expect(isGuessable('sergeev_123', 'sergeev77@example.test')).toBe(true)
    expect(isGuessable('kofeynya2026', 'anna@kofeynya.test')).toBe(true)
    expect(isGuessable('kofeynya.test', 'anna@kofeynya.test')).toBe(true)
    expect(isGuessable('blue-kofeynya-door', 'anna@kofeynya.test')).toBe(false)
    expect(isGuessable('petrova-on-the-hill', 'anna.petrova@example.test')).toBe(false)
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
  '42 kettles boil',
  '87-ключей-от-моря',
  '48213970',
  'password 48213970',
  '583920174652',
  'фиалка-на-окне',
  'seven-4990-blue-1990',
  'harbour-4821397',
  'наш кот barsik',
])('%s is taken', (password) => {
  expect(isGuessable(password)).toBe(false)
})
