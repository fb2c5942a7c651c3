import { request } from 'node:http';
import { expect, it } from 'vitest';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();

const act = (deed: object, headers: Record<string, string> = {}, person: string = people.ada.id) =>
  fetch(`${stage.workspace.url}page/acts?as=${person}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(deed),
  });

const said = { do: 'say', channel: channels.results.id, text: 'Hello' };

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another site on this machine', { 'sec-fetch-site': 'same-site' }],
  ['a form', { 'content-type': 'text/plain' }],
])('%s cannot act', async (_name, headers) => {
  expect((await act(said, headers)).status).toBe(403);
  expect(stage.workspace.messages(channels.results.id)).toEqual([]);
});

it('a host name that resolves to this server gets nothing (DNS rebinding)', async () => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  request(`${stage.workspace.url}page/state`, { headers: { host: 'attacker.example' } }, (response) => {
    response.resume();
    resolve(response.statusCode);
  }).end();
  expect(await promise).toBe(404);
});

it('a malformed URL gets a response, and the workspace keeps running', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  request(stage.workspace.url, { path: '//' }, (response) => {
    response.resume();
    resolve(response.statusCode);
  })
    .on('error', reject)
    .end();
  expect(await promise).toBe(404);
  expect((await act(said)).status).toBe(200);
});

it('the page cannot act as the bot or as an unknown person, or run an unknown action', async () => {
  expect((await act(said, {}, 'U0INVIGIL8R')).status).toBe(400);
  expect((await act(said, {}, 'U0NOBODY')).status).toBe(400);
  expect((await act({ do: 'magic' })).status).toBe(400);
});

it('says why an action is impossible', async () => {
  const response = await act({ do: 'shortcut', callbackId: 'nowhere' });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ problem: expect.stringContaining('no global shortcut nowhere') });
});

it('closing a closed modal succeeds', async () => {
  const view = await stage.open();
  const close = { do: 'close', view: view.id, all: false };
  expect([(await act(close)).status, (await act(close)).status]).toEqual([200, 200]);
  expect(stage.workspace.views(people.ada.id)).toEqual([]);
});

it('shows each person only what they may see', async () => {
  await stage.workspace.as(people.ada.id).say(channels.leads.id, 'Among leads');
  const page = await fetch(`${stage.workspace.url}page/changes?as=${people.ada.id}&client=one`);
  stage.bot.answerWith(() => ({ body: 'Just for Ada' }));
  await stage.ada.command('/quiz list');
  const stateOf = async (person: string, client = 'one'): Promise<string> =>
    (await fetch(`${stage.workspace.url}page/state?as=${person}&client=${client}`)).text();
  expect(await stateOf(people.ada.id)).toContain('Just for Ada');
  expect(await stateOf(people.ada.id, 'reloaded')).not.toContain('Just for Ada');
  expect(await stateOf(people.tom.id)).not.toContain('Just for Ada');
  expect(await stateOf(people.tom.id)).toContain('Among leads');
  expect(await stateOf(people.rosa.id)).not.toContain('Among leads');
  await page.body?.cancel();
});

it('invites the bot to a channel', async () => {
  await act({ do: 'command', channel: channels.general.id, text: '/invite @Invigilator' });
  expect(stage.workspace.messages(channels.general.id)).toMatchObject([{ text: expect.stringContaining('was added') }]);
});

it('announces changes as they happen', async () => {
  const response = await fetch(`${stage.workspace.url}page/changes`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('data: ');
  await stage.ada.say(channels.results.id, 'News');
  expect((await reader?.read())?.value).toBe('data: changed\n\n');
  await reader?.cancel();
});
