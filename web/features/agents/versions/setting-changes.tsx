// Settings that differ between two versions, as a table.
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { SettingChange, SettingValue } from './compare.rules.ts'

/** Setting, then and now. */
export function SettingChanges({ changes }: { changes: SettingChange[] }) {
  const { t } = useTranslation('versions')
  const pathText = (path: string) => t(`path.${path.replaceAll('.', '_')}` as never)
  return (
    <table className="w-full table-fixed text-sm">
      <thead className="text-left text-muted-foreground text-xs">
        <tr>
          <th className="py-1 pe-3 font-normal">{t(($) => $.setting)}</th>
          <th className="py-1 pe-3 font-normal">{t(($) => $.before)}</th>
          <th className="py-1 font-normal">{t(($) => $.after)}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-border align-top">
        {changes.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row" className="break-words py-2 pe-3 text-left font-normal">
              {pathText(path)}
            </th>
            <td className="break-words py-2 pe-3 text-muted-foreground">
              <Value value={before} />
            </td>
            <td className="break-words py-2">
              <Value value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ value }: { value: SettingValue }) {
  const { t } = useTranslation('versions')
  if (value === null || value === '') return t(($) => $.none)
  if (typeof value === 'boolean') return t(($) => $[value ? 'yes' : 'no'])
  return typeof value === 'number' ? formatNumber(value, 2) : value
}
