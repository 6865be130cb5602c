// What is done and what is changed, in words. What has no words yet is shown by the name that programs use.
import { useTranslation } from '#web/lib/i18n.ts'

/** Returns the words of an action and of a changed value's name. */
export function useAuditWords() {
  const { t, i18n } = useTranslation('audit')
  const worded = (group: 'actions' | 'fields' | 'kinds', name: string) => {
    const key = `${group}.${name.replaceAll(/[:/]/g, '_')}`
    return i18n.exists(key, { ns: 'audit' }) ? t(key as never) : name
  }
  return {
    action: (name: string): string => worded('actions', name),
    field: (name: string): string => worded('fields', name),
    kind: (name: string): string => worded('kinds', name),
  }
}
