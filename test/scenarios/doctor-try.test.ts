import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { runDoctor } from '../support/doctor.ts';
import {
  byMode,
  everything,
  leakedInto,
  openTrial,
  press,
  privateTexts,
  secrets,
  type Trial,
} from '../support/doctor-trial.ts';
import { eventBody, sign, webhookSecret } from '../support/event.ts';
import { organization } from '../support/open-test-bed.ts';
import { canaries } from '../support/personal-canaries.ts';

const sampleOf = (headers: Readonly<Record<string, string>>, body: string) =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}\n`;

const sentAt = Date.parse('2026-11-02T07:05:50Z');
const [denver, utc] = ['2026-11-02 00:05:47', '2026-11-02 07:05:47'];

describe.each(['smooth', 'rough'] as const)('npm run doctor -- --try on the %s account', (account) => {
  let trial: Trial;
  let before: string;
  let report: string;
  let code: number | null;

  beforeAll(async () => {
    const closing: (() => Promise<void>)[] = [];
    trial = await openTrial(account, 'socket', (close) => closing.push(close));
    before = everything(trial);
    const body = eventBody({ event_date: account === 'rough' ? denver : utc });
    const timestamp = String(sentAt / 1000);
    const secret = createHmac('sha256', webhookSecret).update(`${timestamp} ${webhookSecret}`).digest('hex');
    const run = runDoctor(
      { ...trial.env, WEBHOOK_SCHEME: 'timestamp-secret' },
      sampleOf({ 'X-Webhook-Timestamp': timestamp, 'X-Webhook-Signature': secret }, body),
      ['--try', '#training'],
    );
    await press(trial);
    const result = await run;
    ({ code } = result);
    report = result.lines.join('\n');
    return async () => {
      for (const close of closing) await close();
    };
  }, 120_000);

  test('answers every question about Slack', () => {
    expect(code).toBe(0);
    for (const answer of [
      /### ✓ An answer to a click that declares nothing.*\n\n- With nothing: only the person who pressed sees it/,
      /### ✓ A message to the ID of a person.*\n\n- It goes to another conversation than conversations\.open gives/,
      /Slack takes 40,000 characters, and not 40,001: msg_too_long/,
      /Slack takes 50 blocks, and not 51: invalid_blocks/,
      /Slack takes 3,000 characters, and not 3,001: invalid_blocks/,
      /characters in sections of 2,500, and not [\d,]+: msg_blocks_too_long/,
      /Slack takes 2,000 letters of two bytes, and not 2,001: msg_too_long/,
      /- At once: Slack takes the edit\.\n- After \d+ s: Slack takes the edit\./,
      /The workspace takes the blocks of all \d+ kinds of messages and \d+ forms\./,
      /The first connection was there after [\d,]+ ms, the one after its end after [\d,]+ ms/,
    ])
      expect(report).toMatch(answer);
  });

  test('says of each answer what in the bot relies on it', () => {
    const answers = report.match(/^### [✓✗–] /gm) ?? [];
    expect(answers.length).toBeGreaterThan(20);
    expect(report.match(/^_In the bot:_ .*\.$/gm)).toHaveLength(answers.length);
  });

  test('deletes what it posted, and says what it could not delete', () => {
    expect(everything(trial)).toBe(before);
    expect(report).toContain('One message of the doctor could not be deleted.');
    expect(trial.workspace.calls.filter(({ method }) => method === 'chat.postMessage').length).toBeGreaterThan(15);
  });

  test('only reads from the quiz service, within the requests of a minute', () => {
    expect(trial.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
    expect(trial.requests.length).toBeLessThan(60);
    expect(report).toContain(`The doctor read ${trial.requests.length} answers and changed nothing.`);
  });

  test('compares each list with the specification', () => {
    const differences =
      account === 'smooth'
        ? ['date_submitted: null in ', 'The bot reads all of them.']
        : [
            'Comes as an object with data around the list',
            'Begins with a byte order mark',
            'More pages follow, which were not read',
            'status: “archived” in ',
            'user_id: a number in ',
            'the record itself: null in ',
            'The bot leaves out ',
            'Dates that name an offset: ',
          ];
    for (const line of differences) expect(report).toContain(line);
    expect(report.includes('### ✗')).toBe(account === 'rough');
  });

  test('says how the webhook was signed, and in which zone its date is', () => {
    expect(report).toContain(
      'The scheme timestamp-secret, in x-webhook-signature (64 hex digits), with seconds since 1970 in x-webhook-timestamp.',
    );
    expect(report).toContain(account === 'rough' ? '- UTC−07:00, by event_date' : '- UTC, by event_date');
    expect(report).toContain(`QUIZ_TIME_ZONE=${trial.quizService.timeZone} is `);
    expect(report).toMatch(/^data\.available_points: a number as text$/m);
  });

  test('holds no secret, and nothing that names a person', () => {
    expect(report).not.toMatch(canaries);
    const texts = privateTexts(trial);
    expect(texts.length).toBeGreaterThan(200);
    expect(leakedInto(report, [...texts, 'Rosa', 'Almeida', '203.0.113.7'])).toEqual([]);
    for (const secret of Object.values({ ...secrets, ...byMode.socket })) expect(report).not.toContain(secret);
    expect(report).not.toMatch(/@[\w-]+\.\w|\b[UWD]0[A-Z0-9]{6,}\b/);
  });
});

describe('npm run doctor -- --try', () => {
  test('says over HTTP what it did not try', async () => {
    const { env } = await openTrial('smooth', 'http');
    const { lines, code } = await runDoctor(env, undefined, ['--try', 'training']);
    const report = lines.join('\n');
    expect(report.match(/Not tried: over HTTP, Slack sends clicks to the request URL of the bot/g)).toHaveLength(2);
    expect(report).toContain('Not tried: there was nobody to write to.');
    expect(report).toContain('The doctor deleted every message that it posted.');
    expect(code).toBe(0);
  });

  test('writes to the first of the owners where nobody presses a button', async () => {
    const { env } = await openTrial('smooth', 'http');
    const { lines } = await runDoctor({ ...env, OWNERS: people.ada.id }, undefined, ['--try', 'training']);
    expect(lines.join('\n')).toContain('It goes to another conversation than conversations.open gives');
  });

  test('finds the channel with the token of an organization', async () => {
    const { env } = await openTrial('smooth', 'http', onTestFinished, { enterprise: organization });
    const { lines, code } = await runDoctor(env, undefined, ['--try', 'training']);
    expect(lines).toContain('The doctor deleted every message that it posted.');
    expect(code).toBe(0);
  });

  test('leaves Socket Mode alone while the bot is connected', async () => {
    const trial = await openTrial('smooth', 'socket');
    const { url } = (await (
      await fetch(`${trial.workspace.apiUrl}apps.connections.open`, {
        method: 'POST',
        headers: { authorization: `Bearer ${byMode.socket.SLACK_APP_TOKEN}` },
      })
    ).json()) as { url: string };
    const bot = new WebSocket(url);
    onTestFinished(() => bot.close());
    await trial.workspace.until(() => trial.workspace.sockets === 1);
    const { lines } = await runDoctor(trial.env, undefined, ['--try', 'training']);
    expect(lines.join('\n')).toContain('Stop the bot, then run the doctor again.');
  });

  test('deletes its messages when it is stopped', async () => {
    const trial = await openTrial('smooth', 'http');
    const before = everything(trial);
    const posted = trial.workspace.until(
      () => trial.workspace.calls.filter(({ method }) => method === 'chat.postMessage').length > 6,
      30_000,
    );
    const { lines, code } = await runDoctor(trial.env, undefined, ['--try', 'training'], posted);
    expect(lines.at(-1)).toBe('Stopped. The doctor deleted every message that it posted.');
    expect(everything(trial)).toBe(before);
    expect(code).toBe(130);
  });

  test('goes on and deletes its messages when Slack fails', async () => {
    const trial = await openTrial('smooth', 'http');
    const before = everything(trial);
    const { faults } = trial.workspace;
    faults.inject({ kind: 'api-error', error: 'internal_error' }, { method: 'chat.update' });
    faults.inject(
      { kind: 'lost-answer' },
      { method: 'chat.postMessage', times: 2, when: ({ text }) => String(text).startsWith('sample') },
    );
    const { lines, code } = await runDoctor(trial.env, undefined, ['--try', 'training']);
    const report = lines.join('\n');
    expect(report).toContain('### ✗ How long a message can be edited');
    expect(report).toMatch(/### – The longest text of a message without blocks\n\nNot answered/);
    expect(everything(trial)).toBe(before);
    expect(code).toBe(0);
  });

  test.each<[string, string[], string]>([
    ['without a channel', ['--try'], 'Name a channel that the bot is in, without # or in quotation marks'],
    ['with nothing as the channel', ['--try', '#'], 'Name a channel that the bot is in'],
    [
      'with a channel that the bot isn’t in',
      ['--try', '#general'],
      'The bot isn’t in #general: type /invite @Invigilator there',
    ],
    ['with an unknown channel', ['--try', 'C0NOWHERE0'], 'The bot isn’t in #C0NOWHERE0: type /invite'],
  ])('says in one sentence what to do %s', async (_, parameters, sentence) => {
    const { env, requests } = await openTrial('smooth', 'http');
    const { lines, code } = await runDoctor(env, undefined, parameters);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(sentence);
    expect(requests).toEqual([]);
    expect(code).toBe(1);
  });

  test.each<[string, Record<string, string>, (body: string) => Record<string, string>, string]>([
    [
      'another header',
      { WEBHOOK_SCHEME: 'timestamp-body' },
      (body) => ({ 'X-Proof': `sha256=${sign(body)}` }),
      '- The scheme body, in x-proof (sha256= and 64 hex digits).\n- Other settings are configured',
    ],
    [
      'no secret',
      { WEBHOOK_SECRET: '' },
      (body) => ({ 'X-Proof': sign(body) }),
      '- Not checked: WEBHOOK_SECRET is not set.\n- Headers that look like one: x-proof (64 hex digits).',
    ],
    [
      'another secret',
      {},
      (body) => ({ 'X-Webhook-Signature': sign(body, 'another') }),
      '- By no known scheme with WEBHOOK_SECRET.',
    ],
  ])('describes a webhook with %s', async (_, set, headersOf, lines) => {
    const { env } = await openTrial('smooth', 'http');
    const body = eventBody();
    const run = await runDoctor({ ...env, ...set }, sampleOf(headersOf(body), body), ['--try', 'training']);
    expect(run.lines.join('\n')).toContain(lines);
  });
});
