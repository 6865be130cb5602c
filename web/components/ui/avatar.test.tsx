// Initials of names as people and organizations have them.
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Avatar } from './avatar.tsx'

it.each([
  ['Анна Ахметова', 'АА'],
  ['Отель «Астана Парк»', 'ОА'],
  ['ТОО "Дос" & Co', 'ТД'],
  ['& 24 hours', '2h'],
  ['Жұлдыз', 'Ж'],
  ['🌟 Star', 'S'],
  ['«»', ''],
])('shows for %s the initials %s', (name, initials) => {
  expect(render(<Avatar avatar={null} name={name} />).container.textContent).toBe(initials)
})
