import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beginWork } from '../../src/observability/log.ts';
import { slackLogger } from '../../src/slack/connection/client.ts';
import { recordingLog } from '../support/log.ts';

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
