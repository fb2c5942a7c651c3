import { expect, onTestFinished, test } from 'vitest';
import { createBeginWork } from '../src/observability/begin-work.ts';
import { noTracing } from '../src/observability/tracing.ts';
import { createHttpServer } from '../src/server.ts';
import { recordingLog } from './support/log.ts';

test('a handler that fails is a 500, told under the reference of its work, without what stands behind the path', async () => {
  const { log, lines } = recordingLog();
  const beginWork = createBeginWork({ tracing: noTracing, newReference: () => 'abcd1234' });
  const fail = () => Promise.reject(new Error('broken'));
  const server = createHttpServer({ '/plain': fail, '/work': { handle: fail, beginWork: (run) => beginWork({ from: 'webhook' }, run) } }, log);
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  onTestFinished(() => server.close());
  const statuses = await Promise.all(['/work?name=canary', '/plain', '/nowhere'].map(async (path) => (await fetch(url + path)).status));
  expect(statuses).toEqual([500, 500, 404]);
  const told = lines.map((line) => JSON.parse(line));
  expect(told).toHaveLength(2);
  expect(told.find((line) => line.url === '/work')).toMatchObject({ reference: 'abcd1234', from: 'webhook', msg: 'request failed', error: { message: 'broken' } });
  expect(told.find((line) => line.url === '/plain')).not.toHaveProperty('reference');
  expect(lines.join('')).not.toContain('canary');
});
