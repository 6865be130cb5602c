// Numbers that would stand in for each other in a cycle.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { isCircle } from './stand-ins.rules.ts'

const id = (name: string) => name as Id<'channelConnections'>
const chain = new Map([
  [id('a'), id('b')],
  [id('b'), id('c')],
  [id('c'), null],
  [id('x'), id('y')],
  [id('y'), id('x')],
])

it.each([
  ['itself', 'a', 'a', true],
  ['the one before it', 'c', 'b', true],
  ['the first of a chain that ends here', 'c', 'a', true],
  ['one further on', 'a', 'c', false],
  ['one with no stand-in', 'b', 'z', false],
  ['one in a circle of others, which is not walked for ever', 'a', 'x', false],
])('%s', (_, of, by, expected) => expect(isCircle(chain, id(of), id(by))).toBe(expected))
