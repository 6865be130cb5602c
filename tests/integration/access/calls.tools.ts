// Calls of the sweep over functions: tools of organizations, their vault, and the functions of agents.
import type { SweptCall } from './calls.ts'

const tool = {
  ...{ name: 'order_status', description: 'The state of an order', method: 'GET' },
  ...{ url: 'https://api.shop.example/orders/{number}', headers: [], body: '', fields: [], bound: [] },
  ...{ approval: 'none', title: '' },
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  ...{ timeoutSeconds: 1, maxKilobytes: 1, perTurn: 1, perDay: 10 },
}

export const TOOLS_CALLS: Record<string, SweptCall> = {
  'agentFunctions:calls': { args: ({ agentId }) => ({ agentId, name: 'knowledge' }) },
  'agentFunctions:list': { args: ({ agentId }) => ({ agentId }) },
  'agentFunctions:overview': { args: ({ agentId }) => ({ agentId }) },
  'attackChecks:cancel': { args: ({ attackCheckId }) => ({ checkId: attackCheckId }), own: 'attack_check_ended' },
  'attackChecks:cases': { args: ({ attackCheckId }) => ({ checkId: attackCheckId }) },
  'attackChecks:list': { args: ({ agentId }) => ({ agentId }) },
  'attackChecks:start': { args: ({ agentId }) => ({ agentId, size: 'brief' }) },
  'conversations/approvals:approve': { args: ({ toolApprovalId }) => ({ approvalId: toolApprovalId }) },
  'conversations/approvals:decline': { args: ({ toolApprovalId }) => ({ approvalId: toolApprovalId }) },
  'conversations/approvals:list': { args: () => ({}) },
  'mcpServers/tools:allow': { args: ({ mcpToolId }) => ({ toolId: mcpToolId, hash: 'of-the-sweep' }) },
  'mcpServers/tools:allowed': { args: () => ({}) },
  'mcpServers/tools:disallow': { args: ({ mcpToolId }) => ({ toolId: mcpToolId }) },
  'mcpServers/tools:list': { args: ({ mcpServerId }) => ({ serverId: mcpServerId }) },
  'mcpServers/tools:setApproval': { args: ({ mcpToolId }) => ({ toolId: mcpToolId, approval: 'customer' }) },
  'mcpServers/tools:texts': { args: ({ mcpToolId }) => ({ toolId: mcpToolId }) },
  'mcpServers:authorize': { args: ({ mcpServerId }) => ({ serverId: mcpServerId }), own: 'mcp_asks_no_consent' },
  'mcpServers:connect': {
    args: () => ({ name: 'Sweep', url: 'https://sweep.invalid/mcp', authorization: 'none' }),
    own: 'mcp_url_unknown',
  },
  'mcpServers:list': { args: () => ({}) },
  'mcpServers:refresh': { args: ({ mcpServerId }) => ({ serverId: mcpServerId }) },
  'mcpServers:remove': { args: ({ mcpServerId }) => ({ serverId: mcpServerId }) },
  'mcpServers:setToken': { args: ({ mcpServerId }) => ({ serverId: mcpServerId, token: 'of-the-sweep' }) },
  'tools/vault:addHost': { args: () => ({ host: 'api.sweep.example' }) },
  'tools/vault:hosts': { args: () => ({}) },
  'tools/vault:removeHost': { args: () => ({ host: 'api.sweep.example' }) },
  'tools/vault:removeSecret': { args: ({ toolSecretId }) => ({ secretId: toolSecretId }) },
  'tools/vault:secrets': { args: () => ({}) },
  'tools/vault:setSecret': { args: () => ({ name: 'New', host: 'api.sweep.example', value: 'of-the-sweep' }) },
  'tools:create': { args: () => ({ tool }) },
  'tools:list': { args: () => ({}) },
  'tools:remove': { args: ({ httpToolId }) => ({ toolId: httpToolId }) },
  'tools:test': { args: ({ httpToolId }) => ({ toolId: httpToolId, arguments: {}, bound: {} }) },
  'tools:update': { args: ({ httpToolId }) => ({ toolId: httpToolId, tool }) },
}
