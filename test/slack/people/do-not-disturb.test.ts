import { createDoNotDisturb } from '../../../src/slack/people/direct-messages.ts';
import type { WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { recordingLog } from '../../support/log.ts';

const begin = 1_000_000_000;
type Status = { dnd_enabled: boolean; next_dnd_start_ts: number; next_dnd_end_ts: number };

/** `statusOf` is asked for each person in a call; it may throw. */
function setUp(statusOf: (personId: string) => Status | undefined) {
  const clock = { now: begin };
  const calls: string[][] = [];
  const teamInfo = async ({ users }: { users: string }) => {
    const personIds = users.split(',');
    calls.push(personIds);
    return {
      ok: true,
      users: Object.fromEntries(
        personIds.flatMap((id) => {
          const status = statusOf(id);
          return status ? [[id, status]] : [];
        }),
      ),
    };
  };
  const { log, lines } = recordingLog();
  const doNotDisturb = createDoNotDisturb({
    client: { dnd: { teamInfo } } as unknown as WebClient,
    log,
    now: () => clock.now,
  });
  return { clock, calls, lines, ...doNotDisturb };
}

/** From and until are in seconds after the beginning. */
const quiet = (from: number, until: number, isEnabled = true): Status => ({
  dnd_enabled: isEnabled,
  next_dnd_start_ts: begin / 1_000 + from,
  next_dnd_end_ts: begin / 1_000 + until,
});
const slackError = (code: string) =>
  Object.assign(new Error(code), { code: 'slack_webapi_platform_error', data: { ok: false, error: code } });

describe('do-not-disturb', () => {
  test('lasts until its end, and begins at its time', async () => {
    const { quietUntil, clock, isVisible } = setUp(
      (id) => ({ UNOW: quiet(-60, 600), ULATER: quiet(120, 600), UNEVER: quiet(-60, 600, false) })[id],
    );
    expect(isVisible()).toBeUndefined();
    const all = async () =>
      Promise.all(
        ['UNOW', 'ULATER', 'UNEVER', 'UUNKNOWN'].map(async (id) => {
          let at = await quietUntil(id);
          // The first call of many asks later.
          while (at !== undefined && at <= clock.now + 6_000) {
            clock.now = Math.max(clock.now, at);
            at = await quietUntil(id);
          }
          return at;
        }),
      );
    expect(await all()).toEqual([begin + 600_000, undefined, undefined, undefined]);
    clock.now = begin + 130_000;
    expect(await all()).toEqual([begin + 600_000, begin + 600_000, undefined, undefined]);
    clock.now = begin + 600_000;
    expect(await all()).toEqual([undefined, undefined, undefined, undefined]);
    expect(isVisible()).toBe(true);
  });

  test('is asked about 50 people at once, at most 25 times in the first minute', async () => {
    const { quietUntil, clock, calls } = setUp(() => undefined);
    const dueAt = new Map(Array.from({ length: 1_000 }, (_, index) => [`U${index}`, begin]));
    while (dueAt.size > 0) {
      clock.now = Math.max(clock.now, Math.min(...dueAt.values()));
      const due = [...dueAt].filter(([, at]) => at <= clock.now).map(([id]) => id);
      const answers = await Promise.all(due.map(async (id) => ({ id, at: await quietUntil(id) })));
      for (const { id, at } of answers) {
        if (at === undefined) dueAt.delete(id);
        else dueAt.set(id, at);
      }
    }
    expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(50);
    expect(calls.length).toBeLessThanOrEqual(25);
    expect(clock.now - begin).toBeLessThanOrEqual(75_000);
    expect(new Set(calls.flat()).size).toBe(1_000);
  });

  test('is not asked again within 5 minutes', async () => {
    const { quietUntil, clock, calls } = setUp(() => undefined);
    await quietUntil('U1');
    clock.now += 299_000;
    await quietUntil('U1');
    expect(calls).toHaveLength(1);
    clock.now += 2_000;
    await quietUntil('U1');
    expect(calls).toHaveLength(2);
  });

  test('keeps no message where the scope is missing, or Slack fails', async () => {
    for (const [code, isVisible, pauseMs] of [
      ['missing_scope', false, 3_600_000],
      ['internal_error', undefined, 60_000],
    ] as const) {
      const opened = setUp(() => {
        throw slackError(code);
      });
      expect(await opened.quietUntil('U1')).toBeUndefined();
      expect(opened.isVisible()).toBe(isVisible);
      opened.clock.now += pauseMs - 1;
      await opened.quietUntil('U2');
      expect(opened.calls).toHaveLength(1);
      opened.clock.now += 1;
      await opened.quietUntil('U2');
      expect(opened.calls).toHaveLength(2);
    }
  });
});
