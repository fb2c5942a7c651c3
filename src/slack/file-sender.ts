import { shortName } from '../domain/short-name.ts';
import { asSaid } from '../domain/said.ts';
import type { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { request } from 'undici';
import type { OutgoingFile } from '../operations/services/files.ts';
import { callSlack } from './errors.ts';
import { section } from './views/blocks/mrkdwn.ts';

/** For the whole upload: a download from the quiz service takes up to 80 s, and Slack answers after its last byte. */
const uploadTimeoutMs = 120_000;

/** In UTF-16 units. */
const longestFileName = 250;
const longestComment = 600;

/**
 * Sends files in direct messages, in the three steps of https://docs.slack.dev/messaging/working-with-files#upload.
 * Streams pass through; the SDK's `filesUploadV2` would hold them in memory. Its result throws `PlatformError` where a
 * call of Slack's API fails, and the error of a stream that breaks.
 */
export function createFileSender(slack: WebClient, { timeoutMs = uploadTimeoutMs } = {}) {
  return async function sendFile(personId: string, { name, comment, content }: OutgoingFile): Promise<void> {
    // Characters that turn the direction of text could make an .exe look like a .pdf.
    const filename = shortName(name, longestFileName);
    // As a block: Slack makes links of what looks like an address in an initial_comment.
    const blocks = [section(asSaid(shortName(comment, longestComment)))];
    const { body, length } = Buffer.isBuffer(content)
      ? { body: content, length: content.length }
      : { body: content.stream, length: content.length };
    try {
      const { channel } = await callSlack(async () => slack.conversations.open({ users: personId }));
      const { upload_url: url, file_id: id } = await callSlack(async () =>
        slack.files.getUploadURLExternal({ filename, length }),
      );
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
}

async function upload(url: string, body: Buffer | Readable, length: number, timeoutMs: number): Promise<void> {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(length) },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.dump();
  if (statusCode !== 200) throw new Error(`Slack answered an upload with ${statusCode}`);
}
