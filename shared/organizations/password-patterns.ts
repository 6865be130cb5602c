// Passwords that follow a pattern: one to four signs over and over, or keys and letters in their order.

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  '01234567890',
  '!@#$%^&*()_+',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю.',
].flatMap((row) => [row, [...row].reverse().join('')])

/** Signs that are repeated. */
const UNIT_MAX = 4

/** Whether a password in lower case is nothing but a pattern. */
export function isPatternPassword(password: string): boolean {
  if (password === '') return false
  if (ROWS.some((row) => row.includes(password))) return true
  return [...Array(UNIT_MAX).keys()].some((i) => repeats(password, i + 1))
}

function repeats(password: string, length: number): boolean {
  const unit = password.slice(0, length)
  return password.length >= 2 * length && unit.repeat(Math.ceil(password.length / length)).startsWith(password)
}
