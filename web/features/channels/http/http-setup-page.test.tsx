// Coming back to the setup of a program that has been made leads to its connection, and does not make a second one.
import { render, screen } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { MemoryRouter, Route, Routes } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { HttpSetupPage } from './http-setup-page.tsx'

fakeConvex(() => ({
  useQuery: (asked: Parameters<typeof getFunctionName>[0]) =>
    getFunctionName(asked) === 'agents:list' ? [{ _id: 'a1', slug: 'helper', name: 'Helper' }] : [],
  useAction: () => vi.fn(),
}))
vi.mock('../use-demonstration.ts', () => ({ useDemonstration: () => null }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

it.each([
  ['?agentSlug=helper&step=address', 'Where is your program?'],
  ['?agentSlug=helper&step=address&connection=c1', 'The connection c1'],
])('%s shows “%s”', (search, shown) => {
  render(
    <MemoryRouter initialEntries={[paths.channelSetup('http')]}>
      <NuqsTestingAdapter searchParams={search}>
        <Routes>
          <Route path={paths.channelSetup('http')} element={<HttpSetupPage />} />
          <Route path={paths.channelConnection('http', 'c1')} element={<p>The connection c1</p>} />
        </Routes>
      </NuqsTestingAdapter>
    </MemoryRouter>,
  )
  expect(screen.getByText(shown)).toBeTruthy()
})
