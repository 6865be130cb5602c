// The frame of a chart: heading, the switch to its table, its file for spreadsheets, and what stands there when there is nothing to show.
import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AnalyticsChart, AnalyticsFile } from '#shared/analytics/analytics.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { cn } from '#web/lib/cn.ts'
import { describeError } from '#web/lib/errors.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { fetchOnce } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { useAsked } from '../analytics-context.tsx'
import { useAnalyticsView } from '../use-analytics-view.ts'

type ChartSectionProps = {
  /** Names the chart in the address when it is shown as a table. */
  id: AnalyticsChart | 'messages'
  /** The chart whose file it offers. */
  file: AnalyticsChart
  title: string
  hint?: string | undefined
  isEmpty: boolean
  chart: ReactNode
  table: ReactNode
}

/** Chart or table, as the address says. A table of two columns of charts takes the room of both. */
export function ChartSection({ id, file, title, hint, isEmpty, chart, table }: ChartSectionProps) {
  const { t } = useTranslation('analytics')
  const [view, setView] = useAnalyticsView()
  const isTable = view.table.includes(id)
  const flip = () => void setView({ table: isTable ? view.table.filter((each) => each !== id) : [...view.table, id] })
  return (
    <CardSection
      id={id}
      className={cn('min-w-0 break-inside-avoid', isTable && 'lg:col-span-2')}
      title={title}
      description={hint}
      actions={
        !isEmpty && (
          <div className="flex flex-wrap gap-1 print:hidden">
            <Button size="sm" variant="ghost" isForReading aria-label={nameOf(isTable)} onClick={flip}>
              {isTable ? <ChartNoAxesColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
              {isTable ? t(($) => $.chart.asChart) : t(($) => $.chart.asTable)}
            </Button>
            <FileButton chart={file} title={title} />
          </div>
        )
      }
    >
      {isEmpty ? <Nothing /> : isTable ? table : chart}
    </CardSection>
  )

  function nameOf(shown: boolean): string {
    return shown ? t(($) => $.chart.asChartNamed, { title }) : t(($) => $.chart.asTableNamed, { title })
  }
}

function FileButton({ chart, title }: { chart: AnalyticsChart; title: string }) {
  const { t } = useTranslation('analytics')
  const { range, interval, filters } = useAsked()
  async function save() {
    const asked = { chart, range, interval, filters, language: currentLanguage() }
    try {
      const file: AnalyticsFile = await fetchOnce(api.analytics.export, asked)
      saveFile(file.name, file.csv, 'text/csv')
    } catch (error) {
      toast.error(describeError(error).message)
    }
  }
  return (
    <Button
      size="sm"
      variant="ghost"
      isForReading
      aria-label={t(($) => $.chart.csvNamed, { title })}
      onClick={() => void save()}
    >
      <Download aria-hidden="true" />
      CSV
    </Button>
  )
}

function Nothing() {
  const { t } = useTranslation('analytics')
  return (
    <div className="flex flex-col items-center px-6 py-8 text-center">
      <ChartNoAxesColumn aria-hidden="true" className="mb-3 size-6 text-muted-foreground" strokeWidth={1.75} />
      <p className="font-medium">{t(($) => $.chart.empty)}</p>
      <p className="mt-1 max-w-md text-muted-foreground">{t(($) => $.chart.emptyHint)}</p>
    </div>
  )
}
