// Tool calls that models write as words, and what is made of each.
import type { TextCase } from './thoughts.ts'

/** `calls`: those that are carried out, as [name, arguments]. */
export type CallCase = TextCase & { calls: [string, object][] }

const FOUND: [string, object][] = [['search_knowledge', { query: 'delivery' }]]
const JSON_CALL = '{"name": "search_knowledge", "arguments": {"query": "delivery"}}'
const runs = (name: string, sent: string, { text = '', calls = FOUND } = {}): CallCase => ({ name, sent, text, calls })
const drops = (name: string, sent: string, text = ''): CallCase => ({ name, sent, text, calls: [] })

export const KNOWN_TOOLS = [
  {
    name: 'search_knowledge',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  {
    name: 'query_table',
    parameters: {
      type: 'object',
      properties: { table: { type: 'string' }, limit: { type: 'integer' }, columns: { type: 'array' } },
      required: ['table'],
      additionalProperties: false,
    },
  },
]

export const CALLS: CallCase[] = [
  runs('Hermes and Qwen', `<tool_call>\n${JSON_CALL}\n</tool_call>`),
  runs('never closed', `<tool_call>\n${JSON_CALL}`),
  runs('only the closing tag', `${JSON_CALL}\n</tool_call>`),
  runs('after reasoning', `<think>I need to look.</think>\n<tool_call>${JSON_CALL}</tool_call>`),
  runs('after words', `Let me look.\n<tool_call>${JSON_CALL}</tool_call>`, { text: 'Let me look.' }),
  runs(
    'two of them',
    `<tool_call>${JSON_CALL}</tool_call>\n<tool_call>{"name":"query_table","arguments":{"table":"t1","limit":3}}</tool_call>`,
    {
      calls: [...FOUND, ['query_table', { table: 't1', limit: 3 }]],
    },
  ),
  runs('the same twice', `<tool_call>${JSON_CALL}</tool_call><tool_call>${JSON_CALL}</tool_call>`, {
    calls: [...FOUND, ...FOUND],
  }),
  runs(
    'arguments as a text',
    '<tool_call>{"name": "search_knowledge", "arguments": "{\\"query\\": \\"delivery\\"}"}</tool_call>',
  ),
  runs(
    'single quotes and a comma too many',
    "<tool_call>{'name': 'search_knowledge', 'arguments': {'query': 'delivery',}}</tool_call>",
  ),
  runs('doubled braces', '<tool_call>{{"name": "search_knowledge", "arguments": {"query": "delivery"}}}</tool_call>'),
  runs('escaped for HTML', `&lt;tool_call&gt;${JSON_CALL}&lt;/tool_call&gt;`),
  runs(
    'Qwen Coder',
    '<tool_call>\n<function=search_knowledge>\n<parameter=query>\ndelivery\n</parameter>\n</function>\n</tool_call>',
  ),
  runs('Qwen Coder without the frame', '<function=search_knowledge><parameter=query>delivery</parameter></function>'),
  runs(
    'numbers and lists in markup',
    '<function=query_table><parameter=table>t1</parameter><parameter=limit>3</parameter><parameter=columns>["a"]</parameter></function>',
    {
      calls: [['query_table', { table: 't1', limit: 3, columns: ['a'] }]],
    },
  ),
  runs('Llama in markup', '<function=search_knowledge>{"query": "delivery"}</function>'),
  runs('<function_call>', `<function_call>${JSON_CALL}</function_call>`),
  runs('<functioncall>', `<functioncall> ${JSON_CALL} </functioncall>`),
  runs(
    'invoke',
    '<function_calls>\n<invoke name="search_knowledge">\n<parameter name="query">delivery</parameter>\n</invoke>\n</function_calls>',
  ),
  runs(
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="search_knowledge">\n<parameter name="query">delivery</parameter>\n</invoke>\n</minimax:tool_call>',
  ),
  runs('GLM', '<tool_call>search_knowledge\n<arg_key>query</arg_key>\n<arg_value>delivery</arg_value>\n</tool_call>'),
  runs(
    'names in tags',
    '<tool_use><tool_name>search_knowledge</tool_name><arguments>{"query": "delivery"}</arguments></tool_use>',
  ),
  runs('Mistral', `[TOOL_CALLS][${JSON_CALL}]`),
  runs('Mistral, newer', '[TOOL_CALLS]search_knowledge[ARGS]{"query": "delivery"}'),
  runs(
    'brackets with arrows',
    '[TOOL_CALL]\n{tool => "search_knowledge", args => {\n  --query "delivery"\n}}\n[/TOOL_CALL]',
  ),
  runs('brackets in words', '[Calling tool: search_knowledge with arguments: {"query": "delivery"}]'),
  runs('a fence named after it', `\`\`\`tool_call\n${JSON_CALL}\n\`\`\``),
  runs('Gemma', '```tool_code\nprint(default_api.search_knowledge(query="delivery"))\n```'),
  runs('a fence of JSON', `\`\`\`json\n${JSON_CALL}\n\`\`\``),
  runs('a fence without a name', `\`\`\`\n${JSON_CALL}\n\`\`\``),
  runs('a fence after words', `I will look.\n\`\`\`json\n${JSON_CALL}\n\`\`\``, { text: 'I will look.' }),
  runs(
    'Llama',
    '<|python_tag|>{"type": "function", "name": "search_knowledge", "parameters": {"query": "delivery"}}<|eom_id|>',
  ),
  runs('Llama as a program', '<|python_tag|>search_knowledge(query="delivery")'),
  runs('a program', 'functions.search_knowledge({"query": "delivery"})'),
  runs('a program in a list', "[search_knowledge(query='delivery')]"),
  runs('a program in words', 'Let me look: search_knowledge({"query": "delivery"})', { text: 'Let me look:' }),
  runs('bare JSON', JSON_CALL),
  runs('bare JSON in a list', `[${JSON_CALL}]`),
  runs('bare JSON with parameters', '{"name": "search_knowledge", "parameters": {"query": "delivery"}}'),
  runs(
    'bare JSON as the API has it',
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "search_knowledge", "arguments": "{\\"query\\":\\"delivery\\"}"}}]}',
  ),
  runs('bare JSON of a chain', '{"action": "search_knowledge", "action_input": {"query": "delivery"}}'),
  runs(
    'DeepSeek R1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search_knowledge\n```json\n{"query": "delivery"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ),
  runs(
    'DeepSeek V3',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search_knowledge<｜tool▁sep｜>{"query": "delivery"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ),
  runs(
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search_knowledge:0<|tool_call_argument_begin|>{"query": "delivery"}<|tool_call_end|><|tool_calls_section_end|>',
  ),
  runs('Granite', `<|tool_call|>[${JSON_CALL}]`),
  runs(
    'Command',
    '<|START_ACTION|>[{"tool_name": "search_knowledge", "parameters": {"query": "delivery"}}]<|END_ACTION|>',
  ),
  runs(
    'Harmony',
    '<|channel|>commentary to=functions.search_knowledge <|constrain|>json<|message|>{"query": "delivery"}<|call|>',
  ),
  runs(
    'Harmony with the recipient in the role',
    '<|start|>assistant to=functions.search_knowledge<|channel|>commentary json<|message|>{"query": "delivery"}<|call|>',
  ),
  runs(
    'Harmony after analysis',
    '<|channel|>analysis<|message|>I must look.<|end|><|start|>assistant<|channel|>commentary to=functions.search_knowledge<|message|>{"query":"delivery"}',
  ),
  runs(
    'a chain of thought and action',
    'Thought: I must look.\nAction: search_knowledge\nAction Input: {"query": "delivery"}',
  ),
  runs('an action alone', 'Action: search_knowledge\nAction Input: {"query": "delivery"}\n'),
  drops('an unknown tool', '<tool_call>{"name": "launch_rocket", "arguments": {}}</tool_call>'),
  drops('an unknown tool as bare JSON', '{"name": "launch_rocket", "arguments": {"to": "Mars"}}'),
  drops('an unknown tool in a fence', '```json\n{"name": "launch_rocket", "arguments": {"to": "Mars"}}\n```'),
  drops('arguments that are missing', '<tool_call>{"name": "search_knowledge", "arguments": {}}</tool_call>'),
  drops('arguments of another kind', '<tool_call>{"name": "search_knowledge", "arguments": {"query": 7}}</tool_call>'),
  drops('arguments that no tool has', '{"name": "search_knowledge", "arguments": {"query": "a", "shell": "rm"}}'),
  drops('JSON that is cut', '<tool_call>{"name": "search_knowledge", "arguments": {"que'),
  drops('bare JSON that is cut', '{"name": "search_knowledge", "arguments": {"que'),
  drops('nothing inside', '<tool_call></tool_call>'),
  drops('an unknown tool as a program', 'functions.launch_rocket({"to": "Mars"})'),
  drops(
    'a result that the model has made up',
    '<tool_response>{"found": "free"}</tool_response>\nDelivery is free.',
    'Delivery is free.',
  ),
  drops('an unreadable call after an answer', 'Delivery is free.\n<tool_call>{broken</tool_call>', 'Delivery is free.'),
]
