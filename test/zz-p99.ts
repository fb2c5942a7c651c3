import { openTestBed } from '/tmp/w/wt-mcp/test/support/open-test-bed.ts';
import { signed, fromSlackbot } from '/tmp/w/wt-mcp/test/support/agents.ts';
const closers: (() => unknown)[] = [];
const tb = await openTestBed({ env: { MCP_ENABLED: 'true', ALERTS_CHANNEL: '' } }, (c) => closers.push(c));
const ms: number[] = [];
for (let i = 0; i < 320; i++) {
  const body = fromSlackbot({ jsonrpc: '2.0', id: i, method: 'tools/call', params: { name: 'list-quizzes', arguments: {} } }, { user_id: 'U00000ADA', team_id: tb.workspace.teamId });
  const t = performance.now();
  const r = await fetch(`${tb.url}/mcp`, { method: 'POST', body, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...signed(body) } });
  await r.text();
  if (i >= 20) ms.push(performance.now() - t);
}
ms.sort((a, b) => a - b);
console.log('tool over HTTP, 300 calls: p50', ms[150]!.toFixed(1), 'p99', ms[297]!.toFixed(1));
process.exit(0);
