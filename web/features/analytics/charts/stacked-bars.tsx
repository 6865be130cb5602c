// Bars over time, each of several series. The drawing is for the eye; over each bar lies a link with all its numbers in words.
import { AxisBottom, AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { Group } from '@visx/group'
import { useParentSize } from '@visx/responsive'
import { scaleBand, scaleLinear } from '@visx/scale'
import { BarStack } from '@visx/shape'
import { useId, useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { placeOver } from './place.ts'
import { type Fill, paintOf, SeriesPatterns } from './series.tsx'
import { useRoving } from './use-roving.ts'

/** One bar: `values` by the keys of the series, `tick` under it, `words` with all its numbers, `to` where it leads. */
type StackedBar = { key: string; values: Record<string, number>; tick: string; words: string; to: string }
type Series = { key: string; fill: Fill }

const HEIGHT = 260
const MARGIN = { top: 12, right: 8, bottom: 28, left: 44 }
/** So narrow that a finger still meets a bar; a chart of more scrolls. */
const NARROWEST_BAR = 24
/** Room of a label under the bars. */
const TICK_WIDTH = 64

type StackedBarsProps = { label: string; bars: StackedBar[]; series: Series[] }

/** Begins at its newest end where it is wider than the page. */
export function StackedBars({ label, bars, series }: StackedBarsProps) {
  const {
    parentRef,
    node,
    width: available,
  } = useParentSize({
    debounceTime: 50,
    initialSize: { width: 640, height: HEIGHT },
  })
  const width = Math.max(available, bars.length * NARROWEST_BAR + MARGIN.left + MARGIN.right)
  useLayoutEffect(() => {
    if (node) node.scrollLeft = width
  }, [node, width])
  return (
    <div ref={parentRef} className="w-full overflow-x-auto overflow-y-hidden">
      <div className="relative print:w-full!" style={{ width, height: HEIGHT }}>
        <Drawing bars={bars} series={series} width={width} />
        <BarLinks label={label} bars={bars} />
      </div>
    </div>
  )
}

function Drawing({ bars, series, width }: Omit<StackedBarsProps, 'label'> & { width: number }) {
  const id = useId()
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom }
  const most = Math.max(1, ...bars.map(({ values }) => series.reduce((all, { key }) => all + (values[key] ?? 0), 0)))
  const x = scaleBand({ domain: bars.map(({ key }) => key), range: [0, inner.width], padding: 0.2 })
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: true })
  const every = Math.max(1, Math.ceil((bars.length * TICK_WIDTH) / inner.width))
  const ticks = new Map(bars.map(({ key, tick }) => [key, tick]))
  const fills = new Map(series.map(({ key, fill }) => [key, paintOf(fill, id)]))
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="absolute inset-0 tabular-nums print:w-full"
    >
      <SeriesPatterns id={id} />
      <Group left={MARGIN.left} top={MARGIN.top}>
        <GridRows scale={y} width={inner.width} numTicks={4} stroke="var(--border)" />
        <BarStack
          data={bars.map(({ key, values }) => ({ key, ...values }))}
          keys={series.map(({ key }) => key)}
          x={(bar) => bar.key}
          xScale={x}
          yScale={y}
          color={(key) => fills.get(key) ?? 'none'}
          stroke="var(--surface)"
        />
        <AxisLeft
          scale={y}
          numTicks={4}
          hideAxisLine
          hideTicks
          tickFormat={(value) => (Number.isInteger(Number(value)) ? formatNumber(Number(value)) : '')}
          tickLabelProps={{ fill: 'var(--muted-foreground)', fontSize: 11, textAnchor: 'end', dy: '0.3em' }}
        />
        <AxisBottom
          scale={x}
          top={inner.height}
          stroke="var(--border)"
          hideTicks
          tickValues={bars.map(({ key }) => key).filter((_, at) => (bars.length - 1 - at) % every === 0)}
          tickFormat={(key) => ticks.get(key) ?? ''}
          tickLabelProps={{ fill: 'var(--muted-foreground)', fontSize: 11, textAnchor: 'middle' }}
        />
      </Group>
    </svg>
  )
}

function BarLinks({ label, bars }: Pick<StackedBarsProps, 'label' | 'bars'>) {
  const { shown, containerProps, itemProps } = useRoving(bars.length)
  const bar = shown === null ? undefined : bars[shown]
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields of a form
    <div
      {...containerProps}
      role="group"
      aria-label={label}
      className="absolute flex"
      style={{ top: MARGIN.top, bottom: MARGIN.bottom, left: MARGIN.left, right: MARGIN.right }}
    >
      {bars.map(({ key, words, to }, at) => (
        <Link
          key={key}
          to={to}
          aria-label={words}
          {...itemProps(at)}
          className={cn('min-w-0 flex-1 rounded-sm focus-visible:-outline-offset-2', at === shown && 'bg-foreground/5')}
        />
      ))}
      {bar && shown !== null && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute top-0 z-10 w-max max-w-64 rounded-md bg-foreground px-2.5 py-1.5 text-background text-xs tabular-nums"
          style={placeOver((shown + 0.5) / bars.length)}
        >
          {bar.words}
        </p>
      )}
    </div>
  )
}
