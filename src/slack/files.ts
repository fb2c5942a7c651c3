import { section } from './views/blocks/message.ts';
import type { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { request, type Dispatcher } from 'undici';
import { InvigilatorError, PlatformError } from '../domain/errors.ts';
import { say, asSaid, isSaid, clip, shortName } from '../domain/said.ts';
import { fileBytesAtMost, tooBig } from '../operations/fields/file.ts';
import type { FileReference, IncomingFile, OutgoingFile, Picture } from '../operations/services/files.ts';
import { csvFile, workbookFile } from '../operations/table-file.ts';
import type { Render } from '../words/render.ts';
import type { MembersOf } from '../operations/services/people.ts';
import { callSlack, unansweredError } from './errors.ts';
import { createIsOfSlack } from './in/reply.ts';
import { Worker } from 'node:worker_threads';

const downloadTimeoutMs = 10_000;
/** Of a channel that has the file, to see whether the person is among them. */
const membersRead = 5_000;

type SlackFile = NonNullable<Awaited<ReturnType<WebClient['files']['info']>>['file']>;

/**
 * Reads a file of Slack into memory, up to 5 MB. A person may have a file read that they uploaded, or that is in a channel
 * they are in. The bot’s token goes to Slack’s own hosts only, so redirects are not followed.
 * https://docs.slack.dev/reference/objects/file-object
 *
 * @throws {PlatformError} where Slack fails
 */
export function createFileReader(deps: {
  client: WebClient;
  token: string;
  apiUrl: string;
  membersOf: MembersOf;
  timeoutMs?: number;
}) {
  const { client, token, membersOf, timeoutMs = downloadTimeoutMs } = deps;
  const isOfSlack = createIsOfSlack(deps.apiUrl);

  return async function readFile(personId: string, { id }: FileReference): Promise<IncomingFile> {
    const file = await infoOf(id);
    if (file === undefined)
      return {
        problem: say`The bot can’t find this file. It may be deleted, or the bot isn’t in its channel: upload it in the form of \`/quiz-user import\` instead.`,
      };
    if (!(await maySee(personId, file)))
      return { problem: say`This file isn’t yours, and you’re not in a channel that has it.` };
    if ((file.size ?? 0) > fileBytesAtMost) return { problem: tooBig };
    const url = file.url_private_download ?? file.url_private;
    if (url === undefined || !isOfSlack(url))
      return { problem: say`This file isn’t stored in Slack. Download it, then upload it here.` };
    return download(url);
  };

  async function infoOf(file: string): Promise<SlackFile | undefined> {
    try {
      return (await callSlack(async () => client.files.info({ file }))).file;
    } catch (error) {
      // https://docs.slack.dev/reference/methods/files.info#errors
      if (error instanceof PlatformError && ['file_not_found', 'file_deleted', 'access_denied'].includes(error.code))
        return undefined;
      throw error;
    }
  }

  async function maySee(personId: string, { user, channels = [], groups = [] }: SlackFile): Promise<boolean> {
    if (user === personId) return true;
    for (const channelId of [...channels, ...groups]) {
      const members = await membersOf({ kind: 'channel', id: channelId, name: undefined }, personId, {
        atMost: membersRead,
      });
      if (!('problem' in members)) return true;
    }
    return false;
  }

  async function download(url: string): Promise<IncomingFile> {
    const answer = await exchange(url, { headers: { authorization: `Bearer ${token}` } }, timeoutMs);
    const { statusCode, headers, body } = answer;
    // Without the scope files:read, Slack answers with its page to sign in, or sends there.
    if (statusCode !== 200 || String(headers['content-type']).startsWith('text/html')) {
      await body.dump();
      return {
        problem: say`Slack didn’t give the bot the file. The person who installed the bot can check that it has the permission \`files:read\`.`,
      };
    }
    return read(body);
  }
}

async function read(body: Dispatcher.ResponseData['body']): Promise<IncomingFile> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the download.
    if (length > fileBytesAtMost) return { problem: tooBig };
    chunks.push(chunk);
  }
  return { content: Buffer.concat(chunks) };
}

/** For the whole upload: a download from the quiz service takes up to 80 s, and Slack answers after its last byte. */
const uploadTimeoutMs = 120_000;

/** In UTF-16 units. */
const longestFileName = 250;
const longestComment = 600;
const longestDescription = 1_000;

/**
 * Sends files in direct messages, in the three steps of https://docs.slack.dev/messaging/working-with-files#upload.
 * Streams pass through; the SDK's `filesUploadV2` would hold them in memory. Its result throws `PlatformError` where a
 * call of Slack's API fails, and the error of a stream that breaks.
 *
 * @param options.renderFor writes what is said for a person; in English without one
 */
export function createFileSender(
  slack: WebClient,
  { renderFor, timeoutMs = uploadTimeoutMs }: { renderFor: RenderFor; timeoutMs?: number },
) {
  const pictureFile = createPictureFiles();

  return async function sendFile(personId: string, { comment, ...file }: OutgoingFile): Promise<void> {
    const { name, content, description } = await written(personId, file);
    // Characters that turn the direction of text could make an .exe look like a .pdf.
    const filename = shortName(name, longestFileName);
    // As a block: Slack makes links of what looks like an address in an initial_comment.
    const blocks = [section(asSaid(shortName(comment, longestComment)))];
    const { body, length } = Buffer.isBuffer(content)
      ? { body: content, length: content.length }
      : { body: content.stream, length: content.length };
    // The SDK’s type says `alt_text`, Slack `alt_txt`: https://docs.slack.dev/reference/methods/files.getUploadURLExternal
    const place = { filename, length, ...(description !== undefined && { alt_txt: description }) };
    try {
      const { channel } = await callSlack(async () => slack.conversations.open({ users: personId }));
      const { upload_url: url, file_id: id } = await callSlack(async () => slack.files.getUploadURLExternal(place));
      if (!channel?.id || !url || !id) throw new Error('Slack gave no place for the file');
      await upload(url, body, length, timeoutMs);
      const { id: conversationId } = channel;
      await callSlack(async () =>
        slack.files.completeUploadExternal({
          files: [{ id, title: filename }],
          channel_id: conversationId,
          blocks,
        }),
      );
    } finally {
      if (!Buffer.isBuffer(body)) body.destroy();
    }
  };

  /** A table or picture in the language of its reader, or in English. */
  async function written(personId: string, { name: said, content: given }: Omit<OutgoingFile, 'comment'>) {
    if ('picture' in given) {
      const render = await renderFor(personId);
      return {
        name: `${isSaid(said) ? render(said) : said}.png`,
        content: await pictureFile(given.picture, render),
        description: clip(render(given.inWords), longestDescription),
      };
    }
    if (!('table' in given)) return { name: said, content: given, description: undefined };
    const { table, timeZone, isPlain } = given;
    const render = await renderFor(isPlain ? undefined : personId);
    const name = isSaid(said) ? render(said) : said;
    const content = await (isPlain ? csvFile(table, render) : workbookFile(table, { name, render, timeZone }));
    return { name: `${name}${isPlain ? '.csv' : '.xlsx'}`, content, description: undefined };
  }
}

type RenderFor = (personId: string | undefined) => Promise<Render>;

async function upload(url: string, body: Buffer | Readable, length: number, timeoutMs: number): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(length) };
  const { statusCode, body: answer } = await exchange(url, { method: 'POST', headers, body }, timeoutMs);
  await answer.dump();
  if (statusCode !== 200) throw unansweredError(`upload_${statusCode}`, undefined);
}

/** The error of a stream that breaks has no code of the network. */
async function exchange(
  url: string,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & { method?: 'POST' },
  timeoutMs: number,
): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const { name, code } = Object(error) as { name?: unknown; code?: unknown };
    const ofNetwork = name === 'TimeoutError' ? 'timeout' : code;
    if (error instanceof InvigilatorError || typeof ofNetwork !== 'string') throw error;
    throw unansweredError(ofNetwork, error);
  }
}

const drawingTimeoutMs = 30_000;
const workerMemoryMb = 64;

/**
 * Draws pictures as PNG, in a thread that lives as long as one of them: what draws takes a tenth of a second to load and 100 MB.
 * They are drawn one after the other.
 */
export function createPictureFiles() {
  let last: Promise<unknown> = Promise.resolve();

  /** @param render writes what is said for the reader */
  return async function pictureFile(picture: Picture, render: Render): Promise<Buffer> {
    const shapes = picture.shapes.map((shape) =>
      shape.kind === 'text' && isSaid(shape.text) ? { ...shape, text: render(shape.text, 'label') } : shape,
    );
    const drawn = last.then(async () => inWorker({ ...picture, shapes }));
    last = drawn.catch(() => undefined);
    return drawn;
  };
}

async function inWorker(picture: Picture): Promise<Buffer> {
  const worker = new Worker(new URL('./picture-drawer.ts', import.meta.url), {
    workerData: picture,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb },
    stderr: true,
  });
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      worker.once('message', (png: Uint8Array) => resolve(Buffer.from(png)));
      worker.once('error', reject);
      const fail = () => reject(new Error('no picture was drawn'));
      worker.once('exit', fail);
      AbortSignal.timeout(drawingTimeoutMs).addEventListener('abort', fail);
    });
  } finally {
    await worker.terminate();
  }
}
