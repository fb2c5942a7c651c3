import { expect, test } from 'vitest';
import { say, named } from '../../../src/domain/said.ts';
import { toolResult } from '../../../src/features/agents/answer.ts';
import { type Tools, loadServe } from '../../../src/features/agents/calls.ts';

const said = say`Closed ${named('Fire safety')}.`;
const tools: Tools = {
  list: async () => [
    { name: 'close-quiz', title: said, description: said, inputSchema: { type: 'object', description: said } } as never,
  ],
  call: async () =>
    toolResult(
      { status: 'done', message: said, candidates: [{ value: 'q-1', label: said }] },
      { picture: [{ text: said }] },
    ),
};

const ask = async (method: string, params: object) => {
  const serve = await loadServe({ tools, title: 'Invigilator', version: '1.0.0' });
  const message = { jsonrpc: '2.0', id: 1, method, params };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify(message),
  });
  const response = await serve(request, message, { personId: 'UADA', teamId: 'T1', through: 'assistant' });
  return response.text();
};

test.each([
  ['tools/list', {}],
  ['tools/call', { name: 'close-quiz', arguments: {} }],
])('%s answers in English, without the marks of sentences', async (method, params) => {
  const text = await ask(method, params);
  expect(text.split('Closed')).toHaveLength(method === 'tools/list' ? 4 : 6);
  expect(text.search(/[\uFDD0-\uFDEF]/)).toBe(-1);
});
