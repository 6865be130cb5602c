// The page on which one chooses whom to talk to.
import { render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TestPage } from './test-page.tsx'

fakeConvex(() => ({ useQuery: () => undefined }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('test-chat')
})

function Place() {
  const { pathname, search } = useLocation()
  return <p>{pathname + search}</p>
}

function open(address: string) {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/test" element={<TestPage />} />
        <Route path="/agents/:slug/test" element={<Place />} />
      </Routes>
    </MemoryRouter>,
  )
}

it('opens the chat with the agent that the address names, with whatever else the link carries', () => {
  open('/test?agentSlug=booking-desk&compare=true')
  expect(screen.getByText('/agents/booking-desk/test?compare=true')).toBeInTheDocument()
})

it('lets one choose where none is named', () => {
  open('/test')
  expect(screen.getByRole('heading', { name: 'Test chat' })).toBeInTheDocument()
})
