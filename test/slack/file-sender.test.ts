import { createFileSender } from '../../src/slack/files.ts';
import { sending } from '../support/as-sent.ts';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { WebClient } from '@slack/web-api';
import { expect, test, onTestFinished } from 'vitest';
import { standardNames } from '../../src/domain/own-names.ts';
import { createRender } from '../../src/words/render.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { listenOnLoopback } from '../support/loopback.ts';

const { erin } = people;
const renderFor = async () => createRender(standardNames);
const comment = 'Results of <!channel> & friends';

async function start() {
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: 'xoxb-files',
    signingSecret: 'signing',
  });
  onTestFinished(() => workspace.close());
  const slack = new WebClient('xoxb-files', {
    slackApiUrl: workspace.apiUrl,
    fetch: sending(workspace.apiUrl),
    retryConfig: { retries: 0 },
  });
  return { workspace, sendFile: createFileSender(slack, { renderFor }) };
}

const completed = ({ calls }: Workspace) => calls.filter(({ method }) => method === 'files.completeUploadExternal');

const commentOf = (text: string) => [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];

test('a file is sent to one person with a comment that notifies nobody else and is clipped', async () => {
  const { workspace, sendFile } = await start();
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
  const { workspace, sendFile } = await start();
  await sendFile(erin.id, { name: 'invoice\u202Efdp.exe\n.sh', comment, content: Buffer.from('a') });
  expect(workspace.directMessages(erin.id)[0]?.files).toMatchObject([
    { name: 'invoice fdp.exe .sh', title: 'invoice fdp.exe .sh' },
  ]);
});

test('a stream is uploaded unchanged', async () => {
  const { workspace, sendFile } = await start();
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

test('a broken stream throws an error and sends no file', async () => {
  const { workspace, sendFile } = await start();
  const broken = Readable.from(
    (function* () {
      yield Buffer.alloc(100);
      throw new Error('the service hung up');
    })(),
  );
  await expect(
    sendFile(erin.id, { name: 'scan.bin', comment, content: { stream: broken, length: 1_000 } }),
  ).rejects.toThrow('the service hung up');
  expect(completed(workspace)).toEqual([]);
});

test('a stream that ends too early throws an error and sends no file', async () => {
  const { workspace, sendFile } = await start();
  const short = Readable.from([Buffer.alloc(100)]);
  await expect(
    sendFile(erin.id, { name: 'scan.bin', comment, content: { stream: short, length: 1_000 } }),
  ).rejects.toThrow();
  expect(completed(workspace)).toEqual([]);
});

test('a picture is sent with what it shows in words, as long as Slack takes it', async () => {
  const { workspace, sendFile } = await start();
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
  const { workspace, sendFile } = await start();
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
