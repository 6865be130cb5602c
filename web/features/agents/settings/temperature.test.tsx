// The temperature slider follows what the chosen model allows.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, it } from 'vitest'
import type { ModelInfo } from '#shared/agents/models.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TemperatureSlider } from './model/model-section.tsx'

const free: ModelInfo = {
  name: 'openai/a',
  provider: 'openai',
  label: 'A',
  isConfigured: true,
  hasTemperature: true,
  inputUsdPerMillion: null,
  outputUsdPerMillion: null,
}
const fixed: ModelInfo = { ...free, name: 'openai/b', hasTemperature: false }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents')
})

function Form({ model }: { model: ModelInfo }) {
  const [value, setValue] = useState(0.7)
  return <TemperatureSlider model={model} value={value} onChange={setValue} />
}

it('shows and locks 1.00 for a model without a temperature, and gives the chosen value back with another model', () => {
  const { rerender } = render(<Form model={free} />)
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '0.70')
  rerender(<Form model={fixed} />)
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '1.00')
  expect(screen.getByText(/always 1\.00/)).toBeInTheDocument()
  rerender(<Form model={free} />)
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '0.70')
})

it('moves by arrow keys when the model allows it, and not at all when it does not', async () => {
  const { rerender } = render(<Form model={free} />)
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '0.75')
  rerender(<Form model={fixed} />)
  await user.keyboard('{ArrowRight}')
  rerender(<Form model={free} />)
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '0.75')
})
