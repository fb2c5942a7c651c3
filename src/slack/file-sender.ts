import type { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { request } from 'undici';
import type { OutgoingFile } from '../operations/context.ts';
import { md, shortName } from './views/mrkdwn.ts';

/** For all of an upload: a stream of the quiz service has 80 s, and Slack says then that it has the bytes. */
const uploadTimeoutMs = 120_000;

const longestFileName = 250;

/**
 * Sends files in direct messages, in the three steps of https://docs.slack.dev/messaging/working-with-files#upload.
 * A stream goes through without being held in memory, which the SDK's `filesUploadV2` would do.
 */
export function createFileSender(slack: WebClient, { timeoutMs = uploadTimeoutMs } = {}) {
  return async function sendFile(personId: string, { name, comment, content }: OutgoingFile): Promise<void> {
    // What turns the direction of writing could make an .exe look like a .pdf.
    const filename = shortName(name, longestFileName);
    const { body, length } = Buffer.isBuffer(content) ? { body: content, length: content.length } : { body: content.stream, length: content.length };
    try {
      const { channel } = await slack.conversations.open({ users: personId });
      const { upload_url: url, file_id: id } = await slack.files.getUploadURLExternal({ filename, length });
      if (!channel?.id || !url || !id) throw new Error('Slack gave no place for the file');
      await upload(url, body, length, timeoutMs);
      await slack.files.completeUploadExternal({ files: [{ id, title: filename }], channel_id: channel.id, initial_comment: md`${comment}`.mrkdwn });
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
