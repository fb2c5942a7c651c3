import { expect, test, describe } from 'vitest';
import { globSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { say, isSaid, named } from '../../src/domain/said.ts';
import { dateInWords } from '../../src/time/date-words.ts';
import { recordingLog } from '../support/log.ts';
import { createRefusalLog, beginWork, createRedaction } from '../../src/observability/log.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
import { slackLogger } from '../../src/slack/connection/client.ts';
import fc from 'fast-check';
import { runs } from '../support/drawn.ts';
import { StoreAwayError } from '../../src/storage/storage.ts';

function logInto(secrets: string[]) {
  const { log, lines } = recordingLog(secrets);
  return { log, read: () => lines.join('') };
}

test('a short secret is removed where it is a word of its own, and shreds no other', () => {
  const { log, read } = logInto(['e', 'hush']);
  log.info({ at: 'line\nhush', line: 'x=%20hush&y=hush' }, 'the password hush of “e” is hushed');
  const { at, line, msg } = JSON.parse(read()) as Record<string, string>;
  expect({ at, line, msg }).toEqual({
    at: 'line\n[redacted]',
    line: 'x=%20[redacted]&y=[redacted]',
    msg: 'the password [redacted] of “[redacted]” is hushed',
  });
});

test('of two secrets that begin alike nothing stays', () => {
  const { log, read } = logInto(['rotated', 'rotated-and-longer']);
  log.info('rotated-and-longer');
  expect(read()).not.toContain('longer');
});

test('an error is told with its causes, without the request a library keeps in it', () => {
  const { log, read } = logInto([]);
  const cause = Object.assign(new Error('socket hang up'), {
    code: 'ECONNRESET',
    config: { headers: { authorization: 'Bearer canary' } },
  });
  log.error({ error: new Error('no answer', { cause }) }, 'it failed');
  const line = JSON.parse(read());
  expect(line.error).toMatchObject({
    name: 'Error',
    message: 'no answer',
    cause: { message: 'socket hang up', code: 'ECONNRESET' },
  });
  expect(read()).not.toContain('canary');
});

test('every error class of the bot has the base class and a code of its own, by which the log tells it', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['src/sandbox/**'] }).map((file) => readFileSync(file, 'utf8'));
  const strays = sources.flatMap((text) => text.match(/class (?!InvigilatorError)\w+ extends Error\b/) ?? []);
  expect(strays).toEqual([]);
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/^ {2}(?:override )?readonly code(?:: string)? = '(.*)';$/gm)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code ?? ''))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
  const { log, read } = logInto([]);
  log.error({ error: new StoreAwayError(new Error('refused')) }, 'it failed');
  expect(JSON.parse(read()).error).toMatchObject({
    name: 'StoreAwayError',
    code: 'store_away',
    cause: { message: 'refused' },
  });
});

test('the values of a line that is too long are cut, and no part of a secret stays', () => {
  const { log, lines } = recordingLog(['hush-hush']);
  const long = 'x'.repeat(4_094);
  log.warn(
    {
      reason: `${long}hush-hush${'y'.repeat(1_000_000)}`,
      items: Array<number>(300_000).fill(0),
      deep: { deeper: { text: 'z'.repeat(100_000) } },
    },
    'too much',
  );
  log.warn({ error: new Error('e'.repeat(1_000_000), { cause: new Error('f'.repeat(1_000_000)) }) }, 'an error');
  log.warn({ reason: 'short' }, 'nothing is cut');
  for (const line of lines) expect(line.length).toBeLessThan(32_768);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'warn',
    msg: 'too much',
    reason: `${long}[r…`,
    items: Array<number>(50).fill(0),
  });
  expect(lines[0]).not.toContain('hu');
  expect(JSON.parse(lines[1]!)).toMatchObject({ error: { name: 'Error', cause: { name: 'Error' } } });
  expect(JSON.parse(lines[2]!)).toMatchObject({ reason: 'short' });
});

test('what the bot says is in the log as it is read in English', () => {
  const { log, read } = logInto([]);
  log.warn({ error: new Error(say`Closed ${3} quizzes.`), day: dateInWords(0, 'day', 'UTC') }, say`Nothing changed.`);
  expect(read().search(/[\uFDD0-\uFDEF]|[\u{E0100}-\u{E01EF}]/u)).toBe(-1);
  const { error, day, msg } = JSON.parse(read()) as { error: { message: string }; day: string; msg: string };
  expect([error.message, day, msg]).toEqual(['Closed 3 quizzes.', '1 Jan 1970', 'Nothing changed.']);
});

test('a thousand refused requests are one log line, and the next one starts another', () => {
  const { log, lines } = recordingLog();
  const timers = createHandTimers();
  const count = createRefusalLog(log, 'requests refused', timers.setTimer);
  for (let index = 0; index < 999; index += 1) count('unsigned');
  count('signature');
  expect(lines).toEqual([]);
  expect(timers.pending()).toEqual([5_000]);
  timers.fire(5_000);
  count('unsigned');
  timers.fire(5_000);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'requests refused', reasons: { unsigned: 999, signature: 1 } }),
    expect.objectContaining({ reasons: { unsigned: 1 } }),
  ]);
});

test('every line written while something is worked on names it, also of what it started; others do not', async () => {
  const { log, lines } = recordingLog();
  const work = (from: string) =>
    beginWork(from, async () => {
      log.info('begun');
      await turn();
      await Promise.all([turn().then(() => log.info('aside')), turn()]);
      log.child({ part: 'sdk' }).info('over');
    });
  await Promise.all([work('command'), work('webhook')]);
  log.info('nobody’s');
  const seen = lines.map((line) => JSON.parse(line));
  const ids = ['command', 'webhook'].map((from) => {
    const own = seen.filter((line) => line.from === from);
    expect(own.map(({ msg }) => msg)).toEqual(['begun', 'aside', 'over']);
    const [id, ...others] = new Set(own.map(({ correlationId }) => correlationId));
    expect(others).toEqual([]);
    return id;
  });
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/), expect.stringMatching(/^[0-9a-f]{8}$/)]);
  expect(ids[0]).not.toBe(ids[1]);
  expect(seen.at(-1)).not.toHaveProperty('correlationId');
});

test('a line that tells of another reference keeps it', async () => {
  const { log, lines } = recordingLog();
  await beginWork('command', async () => log.info({ correlationId: 'other' }, 'audit'));
  expect(lines.join('').match(/"correlationId":"\w+"/g)).toEqual(['"correlationId":"other"']);
});

test('a line of Slack’s SDK says so beside the work it belongs to', async () => {
  const { log, lines } = recordingLog();
  await beginWork('command', async () => slackLogger(log).warn('slow'));
  expect(JSON.parse(lines.join(''))).toMatchObject({
    from: 'command',
    part: 'slack-sdk',
    correlationId: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
});

test('what fails fails to whoever began it', async () => {
  await expect(beginWork('webhook', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

function logged(fields: object, message: string, secrets: string[] = []): string {
  const { log, lines } = recordingLog(secrets);
  log.info(fields, message);
  return lines.join('');
}

describe('what is never in a log, though nobody said that it is secret', () => {
  test.each([
    ['a bot token', 'xoxb-1111-2222-AbCdEf', '1111'],
    ['a rotated token', 'xoxe.xoxp-1-MzAzMw', 'MzAzMw'],
    ['an app token', 'xapp-1-A012-345-abcdef', 'abcdef'],
    ['a bearer’s word', 'authorization: Bearer s3cr3t.canary', 'canary'],
    ['a name and password in a header', 'Authorization: Basic Y2FuYXJ5OmNhbmFyeQ==', 'Y2FuYXJ5'],
    ['an address that takes answers', 'posting to https://hooks.slack.com/actions/T1/2/canary now', 'canary'],
    ['the same in a form', 'x=1&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2Fcanary&y=2', 'canary'],
    ['an e-mail address', 'no user with ada.lovelace+quiz@example.org here', 'lovelace'],
    ['an e-mail address in an address', 'GET /api/v1/users?email_address=ada%40example.org', 'example.org'],
    ['a password in a form', 'user_name=ada&password=canary%21&confirm=1', 'canary'],
    ['a password in an address', 'redis://default:canary@10.0.0.1:6379', 'canary'],
    ['a password in JSON that is a text', JSON.stringify({ a: [{ password: 'canary "and" more' }] }), 'canary'],
    ['a name in a sentence for people', `${named('Canary "the" Bird')} already uses this address.`, 'Canary'],
    ['a name in JSON that is a text', JSON.stringify({ first_name: 'Canary', score: 1 }), 'Canary'],
  ])('%s', (_what, text, canary) => {
    expect(text).toContain(canary);
    for (const line of [
      logged({}, text),
      logged({ deep: { down: [text] } }, ''),
      logged({ error: new Error(text) }, 'it failed'),
    ]) {
      expect(line).not.toContain(canary);
      expect(JSON.parse(line)).toBeTypeOf('object');
    }
  });

  test('who somebody is and what they answered, by the name of the field, at whatever depth', () => {
    const line = logged(
      {
        a: {
          b: {
            c: { first_name: 'Canary', email_address: 'canary', password: 'canary "x"', pin: { access_code: 123_456 } },
          },
        },
        answers: [{ text: 'Canary' }],
      },
      'response',
    );
    expect(line).not.toMatch(/canary|123456/i);
  });
});

describe('what is no secret stays', () => {
  test.each([
    'at apiCall (file:///app/node_modules/@slack/web-api/dist/WebClient.js:157:9)',
    'quiz 17 has 3 @ 20 points',
    'the token is refused (token_revoked)',
    'https://slack.com/api/chat.postMessage',
  ])('%s', (text) => {
    expect(logged({ text }, text).split(JSON.stringify(text).slice(1, -1))).toHaveLength(3);
  });
});

const word = fc
  .string({ unit: fc.constantFrom('a', 'b', 'z', 'A', 'Z', '0', '9'), minLength: 6, maxLength: 20 })
  .map((text) => `kq${text}`);
const opening = fc
  .constantFrom(
    'xoxb-',
    'xoxp-',
    'xapp-1-',
    'xoxe-',
    'xoxe.xoxp-1-',
    'Bearer ',
    'https://hooks.slack.com/services/T1/B1/',
    'password=',
    'token=',
    'https://user:',
  )
  .chain((before) =>
    word.map((canary) => ({
      text: before.endsWith('user:') ? `${before}${canary}@host.example/x` : before + canary,
      canary,
    })),
  );
const address = fc
  .tuple(
    word,
    fc.constantFrom('', '.', '+', '_', "o'"),
    word,
    fc.constantFrom('example.org', 'mail.firma.de', 'localhost'),
  )
  .map(([one, sign, canary, host]) => ({ text: `${one}${sign}${canary}@${host}`, canary }));
const hidden = fc.oneof(opening, address);
/** What may stand around it without being part of it. */
const around = fc.string({
  unit: fc.constantFrom(
    ' ',
    '\n',
    '\t',
    '"',
    '<',
    '>',
    '(',
    ')',
    ',',
    ';',
    '\\',
    '\u0001',
    '\u2028',
    'ä',
    '@',
    '%40',
    '/',
    '=',
    '&',
  ),
  maxLength: 6,
});
const places = fc.constantFrom<(text: string, secrets?: string[]) => string>(
  (text, secrets) => logged({}, text, secrets),
  (text, secrets) => logged({ text }, 'x', secrets),
  (text, secrets) => logged({ list: [{ deeper: { text } }] }, 'x', secrets),
  (text, secrets) => logged({ error: new Error('x', { cause: new Error(text) }) }, 'x', secrets),
  (text, secrets) => logged({ text: JSON.stringify({ text }) }, 'x', secrets),
);

test('removes every token, password and e-mail address, whatever surrounds it, and keeps the line valid JSON', () => {
  fc.assert(
    fc.property(hidden, around, around, places, ({ text, canary }, before, after, log) => {
      const line = log(`${before} ${text} ${after}`);
      expect(line).not.toContain(canary);
      expect(JSON.parse(line)).toBeTypeOf('object');
    }),
    { numRuns: runs(500) },
  );
});

test('whatever a configured secret looks like, it does not come out, and the line stays JSON', () => {
  fc.assert(
    // No secret has the marks of sentences (`domain/said.ts`), which the log leaves out.
    fc.property(fc.string({ unit: 'binary', minLength: 8, maxLength: 30 }), around, places, (secret, before, log) => {
      fc.pre(!isSaid(`${before}${secret}`));
      for (const text of [`${before}${secret}`, `${before}n${secret}`]) {
        const line = log(text, [secret]);
        expect(JSON.stringify(JSON.parse(line))).not.toContain(JSON.stringify(secret).slice(1, -1));
      }
    }),
    { numRuns: runs(500) },
  );
});

test('whatever is logged, the line stays JSON', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), fc.string({ unit: 'binary' }), (fields, message) => {
      expect(JSON.parse(logged({ fields }, message))).toBeTypeOf('object');
    }),
    { numRuns: runs(300) },
  );
});

test('a long text is not looked through again from every letter on', () => {
  const redact = createRedaction([]);
  for (const text of [
    'a'.repeat(1_000_000),
    '@'.repeat(1_000_000),
    'a@'.repeat(500_000),
    `${'x'.repeat(1_000_000)}@`,
    '://'.repeat(300_000),
    String.raw`\"`.repeat(500_000),
    'password='.repeat(100_000),
  ]) {
    expect(redact(text).length).toBeLessThan(text.length * 7);
  }
});
