import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventBody, sendEvent } from './support/event.ts';
import { runBot, type BotRun } from './support/killable-bot.ts';
import { askDoctor } from './support/doctor.ts';
import {
  sendCommand,
  sendSigned,
  signingSecret,
  startOtherQuizService,
  startOtherSlack,
} from './support/other-programs.ts';
import { temporaryDirectory } from './support/temporary.ts';

const secrets = {
  SLACK_BOT_TOKEN: 'xoxb-canary-of-the-bot',
  SLACK_SIGNING_SECRET: signingSecret,
  QUIZ_API_KEY: 'api-key-canary',
  WEBHOOK_SECRET: 'webhook-secret-canary,older-secret-canary',
};

function environment(slackUrl: string, quizUrl: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    ...secrets,
    SLACK_API_URL: `${slackUrl}/api/`,
    QUIZ_API_URL: quizUrl,
    ALERTS_CHANNEL: 'C0RESULTS',
    DATA_DIR: temporaryDirectory(),
    ...more,
  };
}

async function stop(bot: BotRun): Promise<void> {
  bot.kill('SIGTERM');
  expect(await bot.exit).toBe(0);
}

describe('npm start', () => {
  test('ends with one line per fault of the configuration, and no stack trace', async () => {
    const bot = runBot({ QUIZ_API_URL: 'http://quiz.example' });
    expect(await bot.exit).toBe(1);
    const { stderr, stdout } = bot.output();
    expect(stdout).toBe('');
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(new Set(lines.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['QUIZ_API_KEY', 'QUIZ_API_URL', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']),
    );
  });

  test('reads a file .env, as the other commands of operators do, after the environment', () => {
    const folder = temporaryDirectory();
    for (const name of ['src', 'node_modules', 'manifest.yml']) symlinkSync(resolve(name), join(folder, name));
    copyFileSync('package.json', join(folder, 'package.json'));
    const run = (...parameters: string[]) =>
      spawnSync('npm', parameters, {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder, LOG_LEVEL: 'info' },
      });
    writeFileSync(join(folder, '.env'), 'PORT=eighty\r\nCOMMAND_PREFIX="exam"\r\nLOG_LEVEL=loud\r\n');
    expect(run('run', 'manifest')).toMatchObject({
      stderr: '',
      stdout: expect.stringContaining('command: /exam-user'),
    });
    const { status, stdout, stderr } = run('start');
    expect(status).toBe(1);
    expect(`${stdout}${stderr}`).toContain('PORT must be a port number');
    expect(`${stdout}${stderr}`).not.toContain('LOG_LEVEL');
  });

  test('ends with one line when the port is taken, as the doctor says', async () => {
    const [slack, quiz] = [await startOtherSlack(), await startOtherQuizService()];
    const taken = environment(slack.url, quiz.url, { PORT: new URL(slack.url).port, HOST: '127.0.0.1' });
    const bot = runBot(taken);
    expect(await bot.exit).toBe(1);
    expect(bot.output().stderr).toMatch(
      /^The bot could not start: PORT \d+ is in use by another program \(EADDRINUSE\): stop that one, or set PORT to a free one\n$/,
    );
    const beside = await askDoctor(taken);
    expect(beside.lines.join('\n')).toMatch(/– Configuration: PORT \d+ is in use by another program/);
    const elsewhere = await askDoctor({ ...taken, HOST: '192.0.2.1' });
    expect(elsewhere.lines.join('\n')).toContain(
      '✗ Configuration: HOST 192.0.2.1 is no address of this machine (EADDRNOTAVAIL)',
    );
  });

  test('works with any Slack and any quiz service, asks for its lists at the same time, and says once what it takes otherwise than it is written', async () => {
    const [slack, quiz] = [await startOtherSlack(), await startOtherQuizService({ together: 3 })];
    const bot = runBot(environment(slack.url, `"${quiz.url}/api/v1"`, { QUIZ_TIMEZONE: 'UTC' }));
    const url = await bot.up;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const said of [
      /The values of QUIZ_API_URL are in quotation marks/g,
      /QUIZ_API_URL ends with \/api\/v1/g,
      /QUIZ_TIME_ZONE may be meant/g,
    ])
      expect(bot.output().stdout.match(said)).toHaveLength(1);

    const answers = () => slack.seen.filter(({ path }) => path === '/respond').map(({ body }) => body);
    expect((await sendCommand(url, `${slack.url}/respond`, 'list')).status).toBe(200);
    await slack.until(() => answers().length === 1);
    expect(quiz.seen.toSorted()).toEqual(['GET /api/v1/groups', 'GET /api/v1/quizzes', 'GET /api/v1/users']);
    const list = JSON.stringify(answers());
    expect(list).toContain('Fire safety');
    expect(list).toContain('&lt;!channel&gt; &amp; &lt;https://x|y&gt;');
    expect(list).not.toContain('<!channel>');

    await sendCommand(url, `${slack.url}/respond`, 'close “fire SAFETY”');
    await slack.until(() => answers().length === 2);
    expect(answers()[1]?.['text']).toBe('✅ Closed *Fire safety*. Nobody can take it until you open it again.');
    expect(quiz.seen).toContain('POST /api/v1/quizzes/q-1 status=closed');
    expect(quiz.seen).toContain('GET /api/v1/users/u-tom');
    await stop(bot);
  });

  test('finishes what it took when it is told to stop', async () => {
    const [slack, quiz] = [await startOtherSlack(), await startOtherQuizService({ latencyMs: 700 })];
    const bot = runBot(environment(slack.url, quiz.url));
    await sendCommand(await bot.up, `${slack.url}/respond`, 'close fire');
    await stop(bot);
    expect(slack.seen.filter(({ path }) => path === '/respond').map(({ body }) => body['text'])).toEqual([
      '✅ Closed *Fire safety*. Nobody can take it until you open it again.',
    ]);
  });

  test('never logs a token, key, secret, password or personal data, at any level', async () => {
    const [slack, quiz] = [
      await startOtherSlack({ '/api/chat.postMessage': { ok: false, error: 'not_in_channel' } }),
      await startOtherQuizService(),
    ];
    const bot = runBot(environment(slack.url, quiz.url, { LOG_LEVEL: 'trace' }));
    const url = await bot.up;
    for (const text of ['list', 'close fire', 'show nothing', 'help', 'close xoxb-canary-of-the-bot'])
      await sendCommand(url, `${slack.url}/respond`, text);
    await sendSigned(url, 'command=%2Fquiz', Math.floor(Date.now() / 1000), 'wrong');
    for (const secret of ['webhook-secret-canary', 'older-secret-canary', 'wrong'])
      await sendEvent(url, eventBody({ event_id: secret }), secret);
    await slack.until(() => slack.seen.filter(({ path }) => path === '/respond').length === 5);
    await slack.until(({ path }) => path === '/api/chat.postMessage');
    await stop(bot);
    const { stdout, stderr } = bot.output();
    expect(slack.seen.map(({ token }) => token)).toContain(`Bearer ${secrets.SLACK_BOT_TOKEN}`);
    expect(stdout.split('\n').length).toBeGreaterThan(10);
    expect(stdout + stderr).not.toContain('canary');
    for (const personal of ['Rosa', 'Almeida', 'rosa@', '203.0.113.7']) expect(stdout + stderr).not.toContain(personal);
  });
});
