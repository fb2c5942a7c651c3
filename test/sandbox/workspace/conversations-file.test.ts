import { join } from 'node:path';
import { expect, it } from 'vitest';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openWorkspace } from './support/bolt-bot.ts';
import { answerOf } from './support/web-api.ts';

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
