import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { channels, people } from '../../../src/sandbox/workspace/people.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { botToken, openWorkspace } from './support/bolt-bot.ts';
import { modal, plain, useStage } from './support/stage.ts';
import { answerOf, changedManifest, manifestWithout } from './support/web-api.ts';

const { ada, tom, ivo } = people;
const csv = { name: 'People.CSV', content: 'email\nkim@quiz.example\n' };
const stage = useStage();
const { ask } = stage;

const fileInput = (over: object = {}) =>
  modal({
    blocks: [
      {
        type: 'input',
        block_id: 'file',
        label: plain('File'),
        element: { type: 'file_input', action_id: 'file', filetypes: ['csv'], max_files: 1, ...over },
      },
    ],
  });

interface Sent {
  id: string;
  url_private_download: string;
}

async function submitted(): Promise<Sent> {
  const view = await stage.open(fileInput());
  expect(await stage.ada.submit(view, { file: [csv] })).not.toHaveProperty('errors');
  return Object(stage.bot.received.at(-1)?.payload['view']).state.values.file.file.files[0];
}

const get = (url: string, token?: string) =>
  fetch(url, { redirect: 'manual', headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

describe('a file input (https://docs.slack.dev/reference/block-kit/block-elements/file-input-element)', () => {
  it('sends what was chosen with the submission, and the bot can read it with its token', async () => {
    const file = await submitted();
    expect(file).toMatchObject({
      name: 'People.CSV',
      mimetype: 'text/csv',
      filetype: 'csv',
      size: csv.content.length,
      user: ada.id,
      mode: 'hosted',
      file_access: 'visible',
    });
    const downloaded = await get(file.url_private_download, botToken);
    expect(await downloaded.text()).toBe(csv.content);
    expect(await ask('files.info', { file: file.id })).toMatchObject({
      ok: true,
      file: { id: file.id, channels: [], ims: [] },
    });
  });

  it('sends nobody without a token to the file, and a wrong one neither', async () => {
    const { url_private_download: url } = await submitted();
    for (const token of [undefined, 'xoxb-another']) {
      const answer = await get(url, token);
      expect([answer.status, await answer.text()]).toEqual([302, '']);
    }
    expect((await get(url.replace(/-F[A-Z0-9]+/, '-F0NOTHING'), botToken)).status).toBe(404);
  });

  it.each([
    ['another type', [{ name: 'people.zip', content: 'PK' }], 'Please choose a file of type csv.'],
    ['more files than it takes', [csv, csv], 'Please choose at most 1.'],
    [
      'more than 10 MB',
      [{ name: 'people.csv', content: new Uint8Array(10 * 1024 * 1024 + 1) }],
      'Please choose a file of at most 10 MB.',
    ],
    ['no file', [], 'Please complete this required field.'],
  ])('is not submitted with %s', async (_what, files, error) => {
    const view = await stage.open(fileInput());
    const before = stage.bot.received.length;
    expect(await stage.ada.submit(view, { file: files })).toEqual({ errors: { file: error } });
    expect(stage.bot.received).toHaveLength(before);
  });

  it('needs files:read, and a modal', async () => {
    const { blocks } = fileInput() as unknown as { blocks: object[] };
    expect(await ask('chat.postMessage', { channel: channels.training.id, text: 'x', blocks })).toMatchObject({
      error: 'invalid_blocks',
    });
    await stage.reopen({ manifestPath: manifestWithout('files:read') });
    expect(await ask('views.open', { trigger_id: await stage.trigger(), view: fileInput() })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: [expect.stringContaining('unsupported type: file_input')] },
    });
  });
});

describe('a file in a message', () => {
  it('reaches the bot through a message shortcut, and only from where the bot is', async () => {
    const actor = stage.ada;
    const message = await actor.say(channels.training.id, '', { files: [csv] });
    await actor.messageShortcut('find-in-quiz', channels.training.id, message.ts);
    const { type, message: sent } = stage.bot.received.at(-1)!.payload as {
      type: string;
      message: { subtype: string; files: Sent[] };
    };
    expect([type, sent.subtype]).toEqual(['message_action', 'file_share']);
    expect(await (await get(sent.files[0]!.url_private_download, botToken)).text()).toBe(csv.content);
    expect(await ask('files.info', { file: sent.files[0]!.id })).toMatchObject({
      file: { channels: [channels.training.id] },
    });

    const elsewhere = await actor.say(channels.general.id, 'Here', { files: [csv] });
    expect(await ask('files.info', { file: elsewhere.files?.[0]?.id })).toMatchObject({
      error: 'file_not_found',
    });
  });

  it('names nothing but its id in a channel that another company shares', async () => {
    const actor = stage.workspace.as(ivo.id);
    const message = await actor.say(channels.partners.id, '', { files: [csv] });
    await stage.workspace.as(tom.id).messageShortcut('find-in-quiz', channels.partners.id, message.ts);
    const [file] = Object(stage.bot.received.at(-1)?.payload['message']).files;
    expect(file).toMatchObject({ file_access: 'check_file_info' });
    expect(file).not.toHaveProperty('url_private_download');
    expect(await ask('files.info', { file: file.id })).toMatchObject({ file: { name: 'People.CSV' } });
  });

  it('cannot be dropped in a conversation that the manifest makes read-only', async () => {
    const open = (isReadOnly: boolean) =>
      stage.reopen({
        manifestPath: changedManifest((manifest) =>
          manifest.replace(/(messages_tab_read_only_enabled:) \w+/, `$1 ${isReadOnly}`),
        ),
      });
    const direct = `D${ada.id.slice(1)}`;
    await open(true);
    await expect(stage.ada.say(direct, '', { files: [csv] })).rejects.toThrow('read-only');
    await open(false);
    expect((await stage.ada.say(direct, '', { files: [csv] })).files).toHaveLength(1);
  });

  it('without files:read, a download answers with the page to sign in, and files.info with missing_scope', async () => {
    await stage.reopen({ manifestPath: manifestWithout('files:read') });
    const message = await stage.ada.say(channels.training.id, '', { files: [csv] });
    await stage.ada.messageShortcut('find-in-quiz', channels.training.id, message.ts);
    const [file] = Object(stage.bot.received.at(-1)?.payload['message']).files;
    const answer = await get(file.url_private_download, botToken);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('Sign in');
    expect(await ask('files.info', { file: file.id })).toMatchObject({
      error: 'missing_scope',
      needed: 'files:read',
    });
  });
});

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
