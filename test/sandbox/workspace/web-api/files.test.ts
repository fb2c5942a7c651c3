import { afterEach, beforeEach, expect, it } from 'vitest';
import { channels } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace } from '../support/bolt-bot.ts';
import { answerOf } from '../support/web-api.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

/** Runs the first two of the three steps. */
async function upload(content: string, announcedLength = content.length): Promise<{ id: unknown; status: number }> {
  const { upload_url: url, file_id: id } = await answerOf(workspace, 'files.getUploadURLExternal', {
    filename: 'results.csv',
    length: announcedLength,
  });
  const response = await fetch(String(url), { method: 'POST', body: content });
  return { id, status: response.status };
}

it('a file is shared after all three steps', async () => {
  const { id } = await upload('name,score\n');
  expect(workspace.messages(channels.results.id)).toEqual([]);
  expect(
    await answerOf(workspace, 'files.completeUploadExternal', {
      files: [{ id, title: 'Results' }],
      channel_id: channels.results.id,
      initial_comment: 'Here',
    }),
  ).toMatchObject({ ok: true, files: [{ id, title: 'Results' }] });
  expect(workspace.messages(channels.results.id)).toMatchObject([
    { text: 'Here', files: [{ title: 'Results', size: 11 }] },
  ]);
  expect(await answerOf(workspace, 'files.info', { file: id })).toMatchObject({
    file: { name: 'results.csv', mimetype: 'text/csv' },
  });
});

it.each([
  ['a section', {}, '', 'section'],
  ['nothing next to a comment', { initial_comment: 'Here' }, 'Here', undefined],
])('blocks of a file show as %s', async (_, comment, text, type) => {
  const { id } = await upload('name,score\n');
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Results' } }];
  await answerOf(workspace, 'files.completeUploadExternal', {
    files: [{ id }],
    channel_id: channels.results.id,
    blocks,
    ...comment,
  });
  const [message] = workspace.messages(channels.results.id);
  expect([message?.text, message?.blocks?.[0]?.type]).toEqual([text, type]);
});

it('a text preview ends with a whole character', async () => {
  const content = `x${'é'.repeat(700)}`;
  const { id } = await upload(content, Buffer.byteLength(content));
  await answerOf(workspace, 'files.completeUploadExternal', { files: [{ id }], channel_id: channels.results.id });
  expect(workspace.messages(channels.results.id)[0]?.files?.[0]?.preview).toBe(content.slice(0, 600));
});

it('bytes of another length are rejected', async () => {
  const { id, status } = await upload('name,score\n', 99);
  expect(status).toBe(400);
  expect(
    await answerOf(workspace, 'files.completeUploadExternal', { files: [{ id }], channel_id: channels.results.id }),
  ).toMatchObject({ error: 'file_not_found' });
});

it.each([
  [channels.general.id, 'not_in_channel'],
  [channels.archived.id, 'is_archived'],
  ['C0NOWHERE', 'channel_not_found'],
])('a file cannot be shared in %s: %s', async (channel, error) => {
  const { id } = await upload('name,score\n');
  expect(
    await answerOf(workspace, 'files.completeUploadExternal', { files: [{ id }], channel_id: channel }),
  ).toMatchObject({ ok: false, error });
});

it('only images open inline, other files are downloads', async () => {
  const { upload_url: url, file_id: id } = await answerOf(workspace, 'files.getUploadURLExternal', {
    filename: 'page.html',
    length: 25,
  });
  await fetch(String(url), { method: 'POST', body: '<script>alert(1)</script>' });
  await answerOf(workspace, 'files.completeUploadExternal', { files: [{ id }], channel_id: channels.results.id });
  const response = await fetch(`${workspace.url}files/${String(id)}`);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
});

it('a description of a picture has at most 1,000 characters', async () => {
  const begin = async (length: number) =>
    answerOf(workspace, 'files.getUploadURLExternal', { filename: 'a.png', length: 1, alt_txt: 'a'.repeat(length) });
  expect(await begin(1_000)).toMatchObject({ ok: true });
  expect(await begin(1_001)).toMatchObject({ ok: false, error: 'alt_txt_too_large' });
});
