import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openWorkspace } from './support/bolt-bot.ts';
import { answerOf } from './support/web-api.ts';
import { readFileSync } from 'node:fs';
import { openingStart } from '../../../src/sandbox/opening/opening.ts';
import { tourTitles } from '../../../src/sandbox/workspace/tour.ts';

it('a restart keeps conversations, files and channels, but nothing ephemeral', async () => {
  const conversationsFile = join(temporaryDirectory(), 'workspace.bin');
  const first = await openWorkspace({ conversationsFile });
  const rosa = first.as(people.rosa.id);
  const { ts } = await rosa.say(channels.results.id, 'Good morning');
  await first.as(people.ada.id).invite(channels.general.id);
  await answerOf(first, 'chat.postEphemeral', { channel: channels.results.id, user: people.rosa.id, text: 'Psst' });
  const { upload_url: url, file_id: id } = await answerOf(first, 'files.getUploadURLExternal', {
    filename: 'a.txt',
    length: 2,
  });
  await fetch(String(url), { method: 'POST', body: 'Hi' });
  await answerOf(first, 'files.completeUploadExternal', { files: [{ id }], channel_id: channels.results.id });
  expect(first.ephemerals(people.rosa.id)).toHaveLength(1);
  await first.close();

  const second = await openWorkspace({ conversationsFile });
  expect(second.messages(channels.results.id)).toMatchObject([{ text: 'Good morning', ts }, { files: [{ id }] }]);
  expect(second.messages(channels.general.id)).toHaveLength(1);
  expect(second.ephemerals(people.rosa.id)).toEqual([]);
  expect(await (await fetch(`${second.url}files/${String(id)}`)).text()).toBe('Hi');
  const { ts: next } = await answerOf(second, 'chat.postMessage', {
    channel: channels.general.id,
    text: 'I am still here',
  });
  expect(Number(next)).toBeGreaterThan(Number(ts));
  await second.close();
});

test('the page has the steps of the README’s tour', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const tour = /## A tour\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
  expect([...tour.matchAll(/^\d\. \*\*(.+)\.\*\*/gm)].map(([, title]) => title)).toEqual(tourTitles);
});

test.each([
  ['Thursday', '2026-11-19T14:00:00Z', '2026-11-16T08:50:00.000Z'],
  ['Wednesday', '2026-11-25T23:00:00Z', '2026-11-16T08:50:00.000Z'],
  ['Friday', '2026-11-27T00:00:00Z', '2026-11-23T08:50:00.000Z'],
])('on a %s, the week of the sandbox begins on the Monday before the last Thursday', (_, now, monday) => {
  expect(new Date(openingStart(Date.parse(now))).toISOString()).toBe(monday);
});
