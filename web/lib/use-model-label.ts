// How models are called on the screen.
import type { ModelInfo } from '#shared/agents/models.ts'
import { api } from '#web/api.ts'
import { useQuery } from './server/convex.ts'

/** Names a model as people know it; one that is not in the registry keeps the name it is configured by. */
export function useModelLabel(): (name: string) => string {
  const models: ModelInfo[] | undefined = useQuery(api.models.list, {})
  return (name) => models?.find((model) => model.name === name)?.label ?? name
}
