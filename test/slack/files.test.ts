import { createServer, type ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import type { MembersOf } from '../../src/operations/services/people.ts';
import { createFileReader, createFileSender } from '../../src/slack/files.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { openSlack } from './open-slack.ts';
import { Readable } from 'node:stream';
import { standardNames } from '../../src/domain/own-names.ts';
import { createRender } from '../../src/words/render.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

const membersOf: MembersOf = async ({ id }, askedBy) =>
  id === 'C1' && askedBy === 'U2' ? { personIds: ['U2'] } : { problem: 'You’re not in it.' };

interface Asked {
  path: string;
  token: string | undefined;
}

/** A Slack with one file of U1, which is in the channel C1. */
async function openReader({
  file = {},
  error,
  serve,
}: { file?: object; error?: string; serve?: (response: ServerResponse, url: string) => void } = {}) {
  const asked: Asked[] = [];
  let url = '';
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    asked.push({ path, token: headers.authorization });
    if (path === '/api/files.info') {
      const info = {
        id: 'F1',
        name: 'new.csv',
        size: 9,
        user: 'U1',
        channels: ['C1'],
        url_private_download: `${url}/files/new.csv`,
        ...file,
      };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(error === undefined ? { ok: true, file: info } : { ok: false, error }));
    } else if (serve) serve(response, url);
    else response.setHeader('content-type', 'text/csv').end('E-mail\na@x');
  });
  url = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const client = new WebClient('xoxb-reader', { slackApiUrl: `${url}/api/`, retryConfig: { retries: 0 } });
  const readFile = createFileReader({
    client,
    token: 'xoxb-reader',
    apiUrl: `${url}/api/`,
    membersOf,
    timeoutMs: 2_000,
  });
  return {
    asked,
    read: async (personId = 'U1') => {
      const content = await readFile(personId, { id: 'F1', name: 'new.csv' });
      return 'problem' in content ? content.problem : content.content.toString();
    },
  };
}

const downloads = (asked: readonly Asked[]) => asked.filter(({ path }) => path !== '/api/files.info');

test('reads a file of the person, and one in a channel they are in, with the bot’s token', async () => {
  const { asked, read } = await openReader();
  expect(await read('U1')).toBe('E-mail\na@x');
  expect(await read('U2')).toBe('E-mail\na@x');
  expect(downloads(asked)).toEqual([
    { path: '/files/new.csv', token: 'Bearer xoxb-reader' },
    { path: '/files/new.csv', token: 'Bearer xoxb-reader' },
  ]);
});

test('reads no file for a person who cannot see it in Slack', async () => {
  const { asked, read } = await openReader();
  expect(await read('U3')).toBe('This file isn’t yours, and you’re not in a channel that has it.');
  expect(downloads(asked)).toEqual([]);
});

test('sends its token to no other host, neither by an address nor by a redirect', async () => {
  const other = await openReader({ file: { url_private_download: 'http://files.evil.example/new.csv' } });
  expect(await other.read()).toBe('This file isn’t stored in Slack. Download it, then upload it here.');
  expect(downloads(other.asked)).toEqual([]);
  const elsewhere: Asked[] = [];
  const evil = createServer(({ url: path = '', headers }, response) => {
    elsewhere.push({ path, token: headers.authorization });
    response.end('E-mail\nevil@x');
  });
  const evilUrl = await listenOnLoopback(evil);
  onTestFinished(() => void evil.close());
  const redirecting = await openReader({
    serve: (response) => response.writeHead(302, { location: `${evilUrl}/new.csv` }).end(),
  });
  expect(await redirecting.read()).toMatch(/^Slack didn’t give the bot the file\./);
  expect(elsewhere).toEqual([]);
});

test('takes no page to sign in for a file', async () => {
  const { read } = await openReader({
    serve: (response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end('<!DOCTYPE html><html>Sign in</html>'),
  });
  expect(await read()).toBe(
    'Slack didn’t give the bot the file. The person who installed the bot can check that it has the permission `files:read`.',
  );
});

test('reads no more than 5 MB, whatever Slack says about the size', async () => {
  const stated = await openReader({ file: { size: 5_000_001 } });
  expect(await stated.read()).toBe('The file is larger than 5 MB. Split it into several files.');
  expect(downloads(stated.asked)).toEqual([]);
  let sent = 0;
  const endless = await openReader({
    serve(response) {
      const chunk = Buffer.alloc(1_000_000, 'a');
      const send = () => {
        while (sent < 200_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', send);
      send();
    },
  });
  expect(await endless.read()).toBe('The file is larger than 5 MB. Split it into several files.');
  expect(sent).toBeLessThan(100_000_000);
});

test('says what to do about a file that the bot cannot find', async () => {
  const { read } = await openReader({ error: 'file_not_found' });
  expect(await read()).toBe(
    'The bot can’t find this file. It may be deleted, or the bot isn’t in its channel: upload it in the form of `/quiz-user import` instead.',
  );
});

const { erin } = people;
const renderFor = async () => createRender(standardNames);
const comment = 'Results of <!channel> & friends';

async function openSender() {
  const { workspace, client } = await openSlack();
  return { workspace, sendFile: createFileSender(client, { renderFor }) };
}

const completed = ({ calls }: Workspace) => calls.filter(({ method }) => method === 'files.completeUploadExternal');

const commentOf = (text: string) => [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];

test('a file is sent to one person with a comment that notifies nobody else and is clipped', async () => {
  const { workspace, sendFile } = await openSender();
  await sendFile(erin.id, { name: 'results.csv', comment, content: Buffer.from('a,b\r\n') });
  await sendFile(erin.id, { name: 'scan.pdf', comment: 'x'.repeat(5_000), content: Buffer.from('a') });
  const [message, long] = workspace.directMessages(erin.id);
  expect(message).toMatchObject({
    text: '',
    blocks: commentOf('Results of &lt;!channel&gt; &amp; friends'),
    files: [{ name: 'results.csv', size: 5 }],
  });
  expect(long).toMatchObject({ text: '', blocks: commentOf(`${'x'.repeat(599)}…`) });
});

test('a file name cannot hide its extension', async () => {
  const { workspace, sendFile } = await openSender();
  await sendFile(erin.id, { name: 'invoice\u202Efdp.exe\n.sh', comment, content: Buffer.from('a') });
  expect(workspace.directMessages(erin.id)[0]?.files).toMatchObject([
    { name: 'invoice fdp.exe .sh', title: 'invoice fdp.exe .sh' },
  ]);
});

test('a stream is uploaded unchanged', async () => {
  const { workspace, sendFile } = await openSender();
  const chunks = Array.from({ length: 64 }, (_, n) => Buffer.alloc(16_384, n));
  await sendFile(erin.id, {
    name: 'scan.bin',
    comment,
    content: { stream: Readable.from(chunks), length: 64 * 16_384 },
  });
  const [file] = workspace.directMessages(erin.id)[0]?.files ?? [];
  const received = Buffer.from(await (await fetch(file!.url)).arrayBuffer());
  expect(received.equals(Buffer.concat(chunks))).toBe(true);
});

test.each([
  [
    'that breaks off',
    function* () {
      yield Buffer.alloc(100);
      throw new Error('the service hung up');
    },
    'the service hung up',
  ],
  [
    'that ends too early',
    function* () {
      yield Buffer.alloc(100);
    },
    undefined,
  ],
])('a stream %s throws an error and sends no file', async (_, chunks, message) => {
  const { workspace, sendFile } = await openSender();
  const stream = Readable.from(chunks());
  await expect(sendFile(erin.id, { name: 'scan.bin', comment, content: { stream, length: 1_000 } })).rejects.toThrow(
    message,
  );
  expect(completed(workspace)).toEqual([]);
});

test('a picture is sent with what it shows in words, as long as Slack takes it', async () => {
  const { workspace, sendFile } = await openSender();
  const picture = { width: 10, height: 10, shapes: [] };
  await sendFile(erin.id, {
    name: 'Matrix',
    comment,
    content: { picture, inWords: 'Kitchen: *all* <late>'.repeat(100) },
  });
  const [file] = workspace.directMessages(erin.id).flatMap(({ files = [] }) => files);
  expect(file).toMatchObject({ name: 'Matrix.png', mimetype: 'image/png' });
  expect(file?.altText).toMatch(/^Kitchen: \*all\* <late>.*…$/);
  expect(file?.altText).toHaveLength(1_000);
});

test('a stream is destroyed if Slack returns no upload URL', async () => {
  const { workspace, sendFile } = await openSender();
  workspace.faults.inject(
    { kind: 'api-error', error: 'file_uploads_disabled' },
    { method: 'files.getUploadURLExternal' },
  );
  const stream = Readable.from([Buffer.alloc(100)]);
  await expect(sendFile(erin.id, { name: 'scan.bin', comment, content: { stream, length: 100 } })).rejects.toThrow(
    'file_uploads_disabled',
  );
  expect(stream.destroyed).toBe(true);
});

test('an upload without an answer from Slack times out and destroys its stream', async () => {
  const hanging = createServer(() => {});
  onTestFinished(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const url = await listenOnLoopback(hanging);
  const slack = new WebClient('xoxb-files');
  slack.conversations.open = async () => ({ ok: true, channel: { id: 'D1' } });
  slack.files.getUploadURLExternal = async () => ({ ok: true, upload_url: `${url}/upload`, file_id: 'F1' });
  const sendFile = createFileSender(slack, { renderFor, timeoutMs: 100 });
  const endless = new Readable({ read() {} });
  endless.push(Buffer.alloc(100));
  await expect(
    sendFile(erin.id, { name: 'scan.bin', comment, content: { stream: endless, length: 1_000 } }),
  ).rejects.toThrow('timeout');
  expect(endless.destroyed).toBe(true);
});
