import { expect, it } from 'vitest';
import { channels } from '../../../src/sandbox/workspace/people.ts';
import { useStage } from './support/stage.ts';
import { call } from './support/web-api.ts';

const message = { channel: channels.results.id, text: 'Hello' };
const stage = useStage();
const post = (args: object = {}) => stage.ask('chat.postMessage', { ...message, ...args });

it('a lost answer: the message is posted, the connection closes', async () => {
  stage.workspace.faults.inject({ kind: 'lost-answer' }, { method: 'chat.postMessage', times: 1 });
  await expect(post()).rejects.toThrow('fetch failed');
  expect(stage.workspace.messages(channels.results.id)).toHaveLength(1);
  expect(await post()).toMatchObject({ ok: true });
});

it('a lost request: the connection closes, nothing is posted', async () => {
  stage.workspace.faults.inject({ kind: 'lost-request' }, { times: 1 });
  await expect(post()).rejects.toThrow('fetch failed');
  expect(stage.workspace.messages(channels.results.id)).toEqual([]);
});

it('429 for every call until the fault is removed', async () => {
  const calm = stage.workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 7 });
  expect(await call(stage.workspace, 'auth.test')).toMatchObject({ status: 429, retryAfter: '7' });
  expect(await call(stage.workspace, 'users.list')).toMatchObject({ status: 429 });
  calm();
  expect(await call(stage.workspace, 'auth.test')).toMatchObject({ status: 200 });
});

it('a 500 with an HTML body', async () => {
  stage.workspace.faults.inject({ kind: 'http-error', status: 500 }, { times: 1 });
  const response = await fetch(`${stage.workspace.apiUrl}auth.test`, { method: 'POST' });
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('<html>');
});

it('latency, as long as the clock says', async () => {
  stage.workspace.faults.inject({ kind: 'latency', ms: 2500 }, { times: 1 });
  let isAnswered = false;
  const answer = post().then((called) => {
    isAnswered = true;
    return called;
  });
  await stage.workspace.until(() => stage.workspace.faults.delayed > 0);
  expect(isAnswered).toBe(false);
  stage.clock.advance(2500);
  expect(await answer).toMatchObject({ ok: true });
});

it('affect only the calls they select', async () => {
  stage.workspace.faults.inject(
    { kind: 'api-error', error: 'account_inactive' },
    { method: 'chat.postMessage', when: (args) => args['channel'] === channels.training.id },
  );
  expect(await post()).toMatchObject({ ok: true });
  expect(await post({ channel: channels.training.id })).toMatchObject({
    ok: false,
    error: 'account_inactive',
  });
});
