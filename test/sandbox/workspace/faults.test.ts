import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ManualClock, manualClock } from '../../../src/sandbox/workspace/clock.ts';
import { channels } from '../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace } from './support/bolt-bot.ts';
import { barBlock } from './support/payloads.ts';
import { answerOf, call } from './support/web-api.ts';

const message = { channel: channels.results.id, text: 'Hello' };
let clock: ManualClock;
let workspace: Workspace;

beforeEach(async () => {
  clock = manualClock(1_790_000_000_000);
  workspace = await openWorkspace({ clock });
});

afterEach(() => workspace.close());

it('a lost answer: the message is posted, the connection closes', async () => {
  workspace.faults.inject({ kind: 'lost-answer' }, { method: 'chat.postMessage', times: 1 });
  await expect(call(workspace, 'chat.postMessage', message)).rejects.toThrow('fetch failed');
  expect(workspace.messages(channels.results.id)).toHaveLength(1);
  expect(await answerOf(workspace, 'chat.postMessage', message)).toMatchObject({ ok: true });
});

it('a lost request: the connection closes, nothing is posted', async () => {
  workspace.faults.inject({ kind: 'lost-request' }, { times: 1 });
  await expect(call(workspace, 'chat.postMessage', message)).rejects.toThrow('fetch failed');
  expect(workspace.messages(channels.results.id)).toEqual([]);
});

it('429 for every call until the fault is removed', async () => {
  const calm = workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 7 });
  expect(await call(workspace, 'auth.test')).toMatchObject({ status: 429, retryAfter: '7' });
  expect(await call(workspace, 'users.list')).toMatchObject({ status: 429 });
  calm();
  expect(await call(workspace, 'auth.test')).toMatchObject({ status: 200 });
});

it('a 500 with an HTML body', async () => {
  workspace.faults.inject({ kind: 'http-error', status: 500 }, { times: 1 });
  const response = await fetch(`${workspace.apiUrl}auth.test`, { method: 'POST' });
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('<html>');
});

it('latency, as long as the clock says', async () => {
  workspace.faults.inject({ kind: 'latency', ms: 2500 }, { times: 1 });
  let isAnswered = false;
  const answer = call(workspace, 'chat.postMessage', message).then((called) => {
    isAnswered = true;
    return called;
  });
  await workspace.until(() => workspace.faults.delayed > 0);
  expect(isAnswered).toBe(false);
  clock.advance(2500);
  expect((await answer).answer).toMatchObject({ ok: true });
});

it('affect only the calls they select', async () => {
  workspace.faults.inject(
    { kind: 'api-error', error: 'account_inactive' },
    { method: 'chat.postMessage', when: (args) => args['channel'] === channels.training.id },
  );
  expect(await answerOf(workspace, 'chat.postMessage', message)).toMatchObject({ ok: true });
  expect(await answerOf(workspace, 'chat.postMessage', { ...message, channel: channels.training.id })).toMatchObject({
    ok: false,
    error: 'account_inactive',
  });
});

it('a legacy workspace rejects the new blocks', async () => {
  const blocks = [barBlock({})];
  expect(await answerOf(workspace, 'chat.postMessage', { ...message, blocks })).toMatchObject({ ok: true });
  workspace.faults.setLegacy(true);
  expect(await answerOf(workspace, 'chat.postMessage', { ...message, blocks })).toMatchObject({
    ok: false,
    error: 'invalid_blocks',
    errors: ['unsupported type: data_visualization [json-pointer:/blocks/0/type]'],
  });
});
