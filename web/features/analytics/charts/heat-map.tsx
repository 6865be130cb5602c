// A week by hours: the darker the more, with the number in each cell that has one. Cells with something behind them are links.

import { Group } from '@visx/group'
import { HeatmapRect } from '@visx/heatmap'
import { useParentSize } from '@visx/responsive'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Link } from 'react-router'
import { formatNumber, weekdayName } from '#web/lib/format.ts'
import { heatLevel } from './heat.rules.ts'
import { placeOver } from './place.ts'
import { useRoving } from './use-roving.ts'

/** One hour of the week; `to` null: nothing is behind it. */
export type HeatCell = { weekday: number; hour: number; value: number; words: string; to: string | null }

const HOURS = 24
const MARGIN = { top: 20, left: 36 }
const CELL_HEIGHT = 28
const NARROWEST_CELL = 24
const HEIGHT = MARGIN.top + 7 * CELL_HEIGHT
/** Paint and ink by level: every pair has the contrast of text. */
const PAINTS = [
  'var(--accent)',
  'color-mix(in oklab, var(--primary) 14%, var(--surface))',
  'color-mix(in oklab, var(--primary) 26%, var(--surface))',
  'var(--primary)',
]

/** @param cells Monday to Sunday, each by its 24 hours */
export function HeatMap({ label, cells }: { label: string; cells: HeatCell[] }) {
  const { parentRef, width: available } = useParentSize({
    debounceTime: 50,
    initialSize: { width: 640, height: HEIGHT },
  })
  const width = Math.max(available, HOURS * NARROWEST_CELL + MARGIN.left)
  return (
    <div ref={parentRef} className="w-full overflow-x-auto overflow-y-hidden">
      <div className="relative print:w-full!" style={{ width, height: HEIGHT }}>
        <Drawing cells={cells} width={width} />
        <CellLinks label={label} cells={cells} />
      </div>
    </div>
  )
}

function Drawing({ cells, width }: { cells: HeatCell[]; width: number }) {
  const most = Math.max(1, ...cells.map(({ value }) => value))
  const x = scaleBand({ domain: Array.from({ length: HOURS }, (_, at) => at), range: [0, width - MARGIN.left] })
  const days = Array.from({ length: 7 }, (_, weekday) => ({
    weekday,
    bins: cells.filter((cell) => cell.weekday === weekday),
  }))
  const columns = Array.from({ length: HOURS }, (_, hour) => ({
    bin: hour,
    bins: days.map(({ weekday, bins }) => ({
      bin: weekday,
      count: bins.find((cell) => cell.hour === hour)?.value ?? 0,
    })),
  }))
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="absolute inset-0 text-[0.6875rem] tabular-nums print:w-full"
    >
      {x.domain().map((hour) => (
        <text
          key={hour}
          x={MARGIN.left + (x(hour) ?? 0) + x.bandwidth() / 2}
          y={12}
          textAnchor="middle"
          fill="var(--muted-foreground)"
        >
          {hour % 3 === 0 ? hour : ''}
        </text>
      ))}
      {days.map(({ weekday }) => (
        <text key={weekday} x={0} y={MARGIN.top + (weekday + 0.65) * CELL_HEIGHT} fill="var(--muted-foreground)">
          {weekdayName(weekday)}
        </text>
      ))}
      <Group left={MARGIN.left} top={MARGIN.top}>
        <HeatmapRect
          data={columns}
          xScale={scaleLinear({ domain: [0, HOURS], range: [0, width - MARGIN.left] })}
          yScale={scaleLinear({ domain: [0, 7], range: [0, 7 * CELL_HEIGHT] })}
          binWidth={x.bandwidth()}
          binHeight={CELL_HEIGHT}
          gap={2}
        >
          {(heatmap) =>
            heatmap
              .flat()
              .map(({ row, column, count, x: left, y: top, width: cellWidth, height }) => (
                <Cell
                  key={`${row} ${column}`}
                  level={heatLevel(count ?? 0, most)}
                  value={count ?? 0}
                  box={{ left, top, width: cellWidth, height }}
                />
              ))
          }
        </HeatmapRect>
      </Group>
    </svg>
  )
}

type CellProps = { level: number; value: number; box: { left: number; top: number; width: number; height: number } }

function Cell({ level, value, box }: CellProps) {
  return (
    <>
      <rect x={box.left} y={box.top} width={box.width} height={box.height} rx={3} fill={PAINTS[level]} />
      {value > 0 && (
        <text
          x={box.left + box.width / 2}
          y={box.top + box.height / 2}
          dy="0.35em"
          textAnchor="middle"
          fill={level === 3 ? 'var(--primary-foreground)' : 'var(--foreground)'}
        >
          {formatNumber(value)}
        </text>
      )}
    </>
  )
}

function CellLinks({ label, cells }: { label: string; cells: HeatCell[] }) {
  const { shown, containerProps, itemProps } = useRoving(cells.length, HOURS)
  const cell = shown === null ? undefined : cells[shown]
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields of a form
    <div
      {...containerProps}
      role="group"
      aria-label={label}
      className="absolute right-0 bottom-0 grid grid-cols-24 grid-rows-7"
      style={{ top: MARGIN.top, left: MARGIN.left }}
    >
      {cells.map(({ weekday, hour, words, to }, at) => {
        const classes = 'block rounded-sm hover:outline-2 hover:outline-ring focus-visible:-outline-offset-2'
        return to === null ? (
          <span key={`${weekday} ${hour}`} role="img" aria-label={words} {...itemProps(at)} className={classes} />
        ) : (
          <Link key={`${weekday} ${hour}`} to={to} aria-label={words} {...itemProps(at)} className={classes} />
        )
      })}
      {cell && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute z-10 w-max max-w-64 rounded-md bg-foreground px-2.5 py-1.5 text-background text-xs tabular-nums"
          style={{
            ...placeOver((cell.hour + 0.5) / HOURS),
            [cell.weekday < 4 ? 'top' : 'bottom']:
              `${((cell.weekday < 4 ? cell.weekday + 1 : 7 - cell.weekday) / 7) * 100}%`,
          }}
        >
          {cell.words}
        </p>
      )}
    </div>
  )
}
