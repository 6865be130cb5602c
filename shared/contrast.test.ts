// Which colour of text stands on which ground.
import { expect, it } from 'vitest'
import { textOn } from './contrast.ts'

it.each([
  ['#ffffff', '#000000'],
  ['#000000', '#ffffff'],
  ['#ffd400', '#000000'],
  ['#2f5d50', '#ffffff'],
  ['#b3261e', '#ffffff'],
])('on %s one reads %s', (color, text) => expect(textOn(color)).toBe(text))
