import { createServer, type ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import type { MembersOf } from '../../src/operations/services/people.ts';
import { createFileReader } from '../../src/slack/files.ts';
import { listenOnLoopback } from '../support/loopback.ts';

const membersOf: MembersOf = async ({ id }, askedBy) =>
  id === 'C1' && askedBy === 'U2' ? { personIds: ['U2'] } : { problem: 'You’re not in it.' };

interface Asked {
  path: string;
  token: string | undefined;
}

/** A Slack with one file of U1, which is in the channel C1. */
async function start({
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
  const { asked, read } = await start();
  expect(await read('U1')).toBe('E-mail\na@x');
  expect(await read('U2')).toBe('E-mail\na@x');
  expect(downloads(asked)).toEqual([
    { path: '/files/new.csv', token: 'Bearer xoxb-reader' },
    { path: '/files/new.csv', token: 'Bearer xoxb-reader' },
  ]);
});

test('reads no file for a person who cannot see it in Slack', async () => {
  const { asked, read } = await start();
  expect(await read('U3')).toBe('This file isn’t yours, and you’re not in a channel that has it.');
  expect(downloads(asked)).toEqual([]);
});

test('sends its token to no other host, neither by an address nor by a redirect', async () => {
  const other = await start({ file: { url_private_download: 'http://files.evil.example/new.csv' } });
  expect(await other.read()).toBe('This file isn’t stored in Slack. Download it, then upload it here.');
  expect(downloads(other.asked)).toEqual([]);
  const elsewhere: Asked[] = [];
  const evil = createServer(({ url: path = '', headers }, response) => {
    elsewhere.push({ path, token: headers.authorization });
    response.end('E-mail\nevil@x');
  });
  const evilUrl = await listenOnLoopback(evil);
  onTestFinished(() => void evil.close());
  const redirecting = await start({
    serve: (response) => response.writeHead(302, { location: `${evilUrl}/new.csv` }).end(),
  });
  expect(await redirecting.read()).toMatch(/^Slack didn’t give the bot the file\./);
  expect(elsewhere).toEqual([]);
});

test('takes no page to sign in for a file', async () => {
  const { read } = await start({
    serve: (response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end('<!DOCTYPE html><html>Sign in</html>'),
  });
  expect(await read()).toBe(
    'Slack didn’t give the bot the file. The person who installed the bot can check that it has the permission `files:read`.',
  );
});

test('reads no more than 5 MB, whatever Slack says about the size', async () => {
  const stated = await start({ file: { size: 5_000_001 } });
  expect(await stated.read()).toBe('The file is larger than 5 MB. Split it into several files.');
  expect(downloads(stated.asked)).toEqual([]);
  let sent = 0;
  const endless = await start({
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
  const { read } = await start({ error: 'file_not_found' });
  expect(await read()).toBe(
    'The bot can’t find this file. It may be deleted, or the bot isn’t in its channel: upload it in the form of `/quiz-user import` instead.',
  );
});
