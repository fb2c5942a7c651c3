import { afterEach, expect, it } from 'vitest';
import { manualClock } from '../../../../src/sandbox/workspace/clock.ts';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace } from '../support/bolt-bot.ts';
import { type Called, call } from '../support/web-api.ts';

const clock = manualClock(1_790_000_000_000);
let workspace: Workspace;

afterEach(() => workspace.close());

async function callTimes(count: number, method: string, args: Record<string, unknown>): Promise<Called[]> {
  const called: Called[] = [];
  for (let index = 0; index < count; index += 1) called.push(await call(workspace, method, args));
  return called;
}

it('a channel accepts one message per second after a short burst, then returns 429 with Retry-After', async () => {
  workspace = await openWorkspace({ clock });
  const message = { channel: channels.results.id, text: 'Hello' };
  const burst = await callTimes(4, 'chat.postMessage', message);
  expect(burst.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(burst[3]).toMatchObject({ retryAfter: '1', answer: { ok: false, error: 'ratelimited' } });
  expect((await call(workspace, 'chat.postMessage', { ...message, channel: channels.training.id })).status).toBe(200);
  clock.advance(1000);
  const next = await callTimes(2, 'chat.postMessage', message);
  expect(next.map(({ status }) => status)).toEqual([200, 429]);
  expect(workspace.messages(channels.results.id)).toHaveLength(4);
});

it('the workspace has a limit on its messages', async () => {
  workspace = await openWorkspace({ clock, strictness: { messagesPerMinute: 2 } });
  const statuses = await Promise.all(
    [people.ada, people.tom, people.uma].map(
      async ({ id }) => (await call(workspace, 'chat.postMessage', { channel: id, text: 'Hello' })).status,
    ),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

it('each tier limits calls per minute and method', async () => {
  workspace = await openWorkspace({ clock });
  const statuses = (await callTimes(21, 'users.list', {})).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect((await call(workspace, 'users.info', { user: people.ada.id })).status).toBe(200);
  clock.advance(60_000);
  expect((await call(workspace, 'users.list')).status).toBe(200);
});

it('nothing is limited when the limits are off', async () => {
  workspace = await openWorkspace({ clock, strictness: { rateLimits: false } });
  const called = await callTimes(30, 'chat.postMessage', { channel: channels.results.id, text: 'Hello' });
  expect(called.every(({ status }) => status === 200)).toBe(true);
});
