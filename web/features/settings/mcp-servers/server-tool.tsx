// One tool of a server: whether it is allowed, who approves its calls, and what it says of itself.
import { useId, useState } from 'react'
import { MCP_APPROVALS, MCP_CALLS_PER_DAY, type McpApproval, type McpTool } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { ToolTexts } from './tool-texts.tsx'

/** A tool that has changed is allowed again by a button, after its changes. */
export function ServerTool({ tool }: { tool: McpTool }) {
  const { t } = useTranslation('tools')
  const id = useId()
  const { isBusy, allow, disallow } = useAllowing(tool)
  const [isOpen, setOpen] = useState(false)
  const isChanged = tool.state === 'changed'
  const isSwitched = tool.state === 'allowed' || tool.state === 'not_allowed'
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span id={id} className="break-all font-medium">
              {tool.name}
            </span>
            <Marks tool={tool} />
          </p>
          <p className="line-clamp-3 break-words text-[0.8125rem] text-muted-foreground">{tool.description}</p>
        </div>
        {isSwitched && (
          <Switch
            aria-labelledby={id}
            checked={tool.state === 'allowed'}
            disabled={isBusy || (tool.problem !== null && tool.state === 'not_allowed')}
            onCheckedChange={(isOn) => void (isOn ? allow() : disallow())}
          />
        )}
      </div>
      {tool.problem && (
        <p className="text-[0.8125rem] text-destructive-soft-foreground">
          {t(($) => $.mcp.problem[tool.problem ?? 'schema_unsupported'])}
        </p>
      )}
      {isChanged && <p className="text-[0.8125rem]">{t(($) => $.mcp.changedHint)}</p>}
      {tool.state === 'gone' && <p className="text-[0.8125rem]">{t(($) => $.mcp.goneHint)}</p>}
      {tool.state !== 'not_allowed' && tool.state !== 'gone' && <Approval tool={tool} />}
      {(isOpen || isChanged) && <ToolTexts tool={tool} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isChanged && tool.problem === null && (
          <Button size="sm" variant="primary" isBusy={isBusy} onClick={() => void allow()}>
            {t(($) => $.mcp.allowAgain)}
          </Button>
        )}
        {!isSwitched && (
          <Button size="sm" isBusy={isBusy} onClick={() => void disallow()}>
            {isChanged ? t(($) => $.mcp.disallow) : t(($) => $.mcp.forget)}
          </Button>
        )}
        {!isChanged && (
          <Button variant="link" size="sm" isForReading aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t(($) => $.mcp.hideTexts) : t(($) => $.mcp.showTexts)}
          </Button>
        )}
      </div>
    </li>
  )
}

function useAllowing({ _id, hash }: McpTool) {
  const allow = useMutation(api.mcpServers.tools.allow)
  const disallow = useMutation(api.mcpServers.tools.disallow)
  const [isBusy, setBusy] = useState(false)
  const during = async (change: Promise<unknown>) => {
    setBusy(true)
    await change.catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return {
    isBusy,
    allow: () => during(allow({ toolId: _id, hash })),
    disallow: () => during(disallow({ toolId: _id })),
  }
}

/** What the server claims is shown as its claim. */
function Marks({ tool: { state, hints, failing } }: { tool: McpTool }) {
  const { t } = useTranslation('tools')
  return (
    <>
      {state === 'changed' && <Badge tone="warning">{t(($) => $.mcp.state.changed)}</Badge>}
      {state === 'gone' && <Badge tone="destructive">{t(($) => $.mcp.state.gone)}</Badge>}
      {failing && <Badge tone="destructive">{t(($) => $.list.failing, { count: failing.times })}</Badge>}
      {hints.isReadOnly && <Badge>{t(($) => $.mcp.hint.readOnly)}</Badge>}
      {hints.isDestructive && <Badge>{t(($) => $.mcp.hint.destructive)}</Badge>}
    </>
  )
}

function Approval({ tool }: { tool: McpTool }) {
  const { t } = useTranslation('tools')
  const set = useMutation(api.mcpServers.tools.setApproval)
  const label = t(($) => $.mcp.approvalOf, { name: tool.name })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem]">
      <Select
        aria-label={label}
        className="w-full sm:w-72"
        value={tool.approval}
        onValueChange={(approval) =>
          void set({ toolId: tool._id, approval: approval as McpApproval }).catch(() => undefined)
        }
        options={MCP_APPROVALS.map((value) => ({ value, label: t(($) => $.mcp.approval[value]) }))}
      />
      <span className="text-muted-foreground tabular-nums">
        {t(($) => $.list.usedToday, { used: tool.usedToday, max: MCP_CALLS_PER_DAY })}
      </span>
    </div>
  )
}
