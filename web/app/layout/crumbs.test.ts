// The way to a page, as its route tells it.
import { expect, it } from 'vitest'
import { type CrumbNames, crumbsFor } from './crumbs.ts'

const names = new Proxy({}, { get: (_, name) => `<${String(name)}>` }) as CrumbNames

it('leads from a part of knowledge back to its space', () => {
  const crumbs = crumbsFor({ section: 'knowledge', entity: 'space', leaf: 'documents' }, names, {
    name: 'Prices',
    slug: 'prices',
  })
  expect(crumbs).toEqual([
    { label: '<knowledge>', to: '/knowledge' },
    { label: 'Prices', to: '/knowledge/space/prices' },
    { label: '<documents>' },
  ])
})

it('has no link at its end, and leaves out what is not chosen yet', () => {
  expect(crumbsFor({ section: 'knowledge', entity: 'space' }, names, { name: undefined, slug: 'prices' })).toEqual([
    { label: '<knowledge>', to: '/knowledge' },
    { label: undefined },
  ])
  expect(crumbsFor({ section: 'knowledge', entity: 'space', leaf: 'base' }, names, undefined)).toEqual([
    { label: '<knowledge>', to: '/knowledge' },
    { label: '<base>' },
  ])
})

it('leads from the test of an agent back to its settings', () => {
  const crumbs = crumbsFor({ section: 'agents', entity: 'agent', leaf: 'test' }, names, { name: 'Anna', slug: 'anna' })
  expect(crumbs.map(({ to }) => to)).toEqual(['/agents', '/agents/anna/settings', undefined])
})

it('keeps the agent whose channels are looked at', () => {
  const handle = { section: 'channels', channel: 'telegram', entity: 'connection' } as const
  const crumbs = crumbsFor(handle, names, { name: '@shop_bot', slug: 'c1' }, 'anna')
  expect(crumbs.map(({ to }) => to)).toEqual([
    '/channels?agentSlug=anna',
    '/channels/telegram?agentSlug=anna',
    undefined,
  ])
})

it('leaves what follows the section to pages that name themselves', () => {
  const trail = () => [{ label: 'Organizations', to: '/admin/organizations' }, { label: 'Organization' }]
  expect(crumbsFor({ section: 'admin', trail }, names, undefined)).toEqual([
    { label: '<admin>', to: '/admin' },
    { label: 'Organizations', to: '/admin/organizations' },
    { label: 'Organization' },
  ])
})
