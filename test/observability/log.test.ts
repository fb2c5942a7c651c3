import { expect, test } from 'vitest';
import { setImmediate as turn } from 'node:timers/promises';
import { say } from '../../src/domain/said.ts';
import { dateInWords } from '../../src/time/date-words.ts';
import { recordingLog } from '../support/log.ts';
import { createRefusalLog, beginWork } from '../../src/observability/log.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
import { slackLogger } from '../../src/slack/connection/client.ts';

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
