import type { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { createManagers, managerFieldIn } from '../../../src/slack/people/managers.ts';
import { peopleOf } from '../../support/sample-users.ts';
import { recordingLog } from '../../support/log.ts';

const slackError = (error: string) =>
  Object.assign(new Error(error), { code: 'slack_webapi_platform_error', data: { ok: false, error } });
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

interface Options {
  /** What the field holds, by person. */
  managers?: Record<string, string>;
  /** Of the people whom Slack knows. */
  people?: Record<string, { deleted?: boolean; is_restricted?: boolean; team_id?: string }>;
  error?: string;
}

function openManagers({ managers = {}, people = {}, ...options }: Options = {}) {
  const clock = { now: 1_000_000 };
  const slack = { error: options.error, managers };
  const calls: string[] = [];
  const call = async <Answer>(name: string, answer: () => Answer): Promise<Answer> => {
    calls.push(name);
    if (slack.error !== undefined) throw slackError(slack.error);
    return answer();
  };
  const client = {
    team: {
      profile: {
        get: () =>
          call('fields', () => ({
            profile: { fields: [{ id: 'Xf1', label: 'Manager', type: 'user', options: { is_protected: true } }] },
          })),
      },
    },
    users: {
      profile: {
        get: ({ user }: { user: string }) =>
          call(`profile ${user}`, () => {
            const value = slack.managers[user];
            return { profile: { fields: value === undefined ? [] : { Xf1: { value, alt: '' } } } };
          }),
      },
      info: ({ user }: { user: string }) =>
        call(`info ${user}`, () => ({ user: { id: user, team_id: 'T1', ...people[user] } })),
    },
  } as unknown as WebClient;
  const now = () => clock.now;
  const { log, lines } = recordingLog();
  const found = createManagers({
    client,
    field: undefined,
    kept: new Keyv(),
    people: peopleOf(client, { now }),
    teamId: () => 'T1',
    log,
    now,
  });
  return { ...found, calls, clock, slack, lines };
}

test('finds the managers of people, and says nobody of those whose manager cannot be written to', async () => {
  const { managersOf } = openManagers({
    managers: { U1: 'UZOE', U2: 'UDORA', U3: 'ULENA', U4: 'UIVO', U5: 'U5', U6: 'UZOE,UERIN', U8: '' },
    people: { UDORA: { deleted: true }, ULENA: { is_restricted: true }, UIVO: { team_id: 'T2' } },
  });
  const { managers, askAgainAt } = await managersOf(['U1', 'U2', 'U3', 'U4', 'U5', 'U6', 'U7', 'U8']);
  expect(askAgainAt).toBeUndefined();
  expect(Object.fromEntries(managers)).toEqual({
    U1: 'UZOE',
    U2: null,
    U3: null,
    U4: null,
    U5: null,
    U6: 'UZOE',
    U7: null,
    U8: null,
  });
});

test('asks for a profile once a day, and again once the person has changed', async () => {
  const { managersOf, calls, forget, slack } = openManagers({ managers: { U1: 'UZOE' } });
  for (let twice = 0; twice < 2; twice += 1) await managersOf(['U1']);
  expect(calls).toEqual(['fields', 'profile U1', 'info UZOE']);
  slack.managers = { U1: 'UERIN' };
  expect((await managersOf(['U1'])).managers.get('U1')).toBe('UZOE');
  await forget('U1');
  expect((await managersOf(['U1'])).managers.get('U1')).toBe('UERIN');
});

test('a manager who is deactivated is none any more within minutes', async () => {
  const people: NonNullable<Options['people']> = {};
  const { managersOf, clock } = openManagers({ managers: { U1: 'UZOE' }, people });
  expect((await managersOf(['U1'])).managers.get('U1')).toBe('UZOE');
  people['UZOE'] = { deleted: true };
  clock.now += 11 * minuteMs;
  expect((await managersOf(['U1'])).managers.get('U1')).toBeNull();
});

test('reads 60 profiles at once, and the others as Slack’s limit allows', async () => {
  const { managersOf, clock, calls } = openManagers();
  const everyone = Array.from({ length: 100 }, (_, number) => `U${number}`);
  const first = await managersOf(everyone);
  expect(first.managers.size).toBe(60);
  expect(first.askAgainAt).toBeGreaterThan(clock.now);
  for (let runs = 0; runs < 3; runs += 1) {
    clock.now += 30_000;
    await managersOf(everyone);
  }
  const last = await managersOf(everyone);
  expect(last.managers.size).toBe(100);
  expect(last.askAgainAt).toBeUndefined();
  expect(calls.filter((call) => call.startsWith('profile'))).toHaveLength(100);
});

test('without the scope, nobody has a manager, and the bot knows why', async () => {
  const { managersOf, problem, slack, clock } = openManagers({ managers: { U1: 'UZOE' }, error: 'missing_scope' });
  expect(problem()).toBeUndefined();
  expect(await managersOf(['U1'])).toEqual({ managers: new Map([['U1', null]]), problem: 'missing_scope' });
  expect(problem()).toBe('missing_scope');
  slack.error = undefined;
  clock.now += 11 * minuteMs;
  expect((await managersOf(['U1'])).managers.get('U1')).toBe('UZOE');
  expect(problem()).toBeUndefined();
});

test('while Slack does not answer, nobody is known, and a known manager of yesterday is asked about again', async () => {
  const { managersOf, slack, clock, lines } = openManagers({ managers: { U1: 'UZOE' }, error: 'internal_error' });
  const { managers, askAgainAt, problem } = await managersOf(['U1']);
  expect([managers.size, problem]).toEqual([0, undefined]);
  expect(askAgainAt).toBeGreaterThan(clock.now);
  expect(JSON.stringify(lines)).toContain('does not say who is whose manager');
  slack.error = undefined;
  clock.now += dayMs;
  expect((await managersOf(['U1'])).managers.get('U1')).toBe('UZOE');
});

const editable = { id: 'Xf1', label: 'Manager', type: 'user' };
const locked = { ...editable, id: 'Xf2', options: { is_protected: true } };
const synced = { ...editable, id: 'Xf3', options: { is_scim: true } };

test.each([
  ['a field that nobody edits in their profile', [editable, locked], 'Xf2'],
  ['a field that the company’s directory fills', [synced], 'Xf3'],
  ['a field in another spelling', [{ ...locked, label: ' MANAGER' }], 'Xf2'],
  ['a flag as a number, as in Slack’s examples', [{ ...editable, options: { is_protected: 1 as never } }], 'Xf1'],
])('without a configured field, %s names managers', (_, fields, id) => {
  expect(managerFieldIn(fields, undefined)).toEqual({ id, label: expect.any(String) });
});

test.each([
  ['no_field', []],
  ['no_field', [{ ...locked, label: 'Boss' }]],
  ['no_field', [{ ...locked, type: 'text' }]],
  ['no_field', [{ ...locked, is_hidden: true }]],
  ['no_field', [{ ...locked, is_inverse: true }]],
  ['editable', [editable]],
  ['editable', [{ ...editable, options: null as never }]],
  ['editable', [{ ...locked, permissions: { ui: true } }]],
] as const)('without a configured field, there is none (%s) in %j', (problem, fields) => {
  expect(managerFieldIn(fields, undefined)).toEqual({ problem });
});

test.each(['Manager', 'manager', 'Xf1'])(
  'a configured field counts whether people edit it or not: %s',
  (configured) => {
    expect(managerFieldIn([editable], configured)).toEqual({ id: 'Xf1', label: 'Manager' });
  },
);

test('a configured field that is not there, or holds no people, says so', () => {
  expect(managerFieldIn([locked], 'Reports to')).toEqual({ problem: 'unknown_field' });
  expect(managerFieldIn([{ ...locked, type: 'text' }], 'Manager')).toEqual({ problem: 'not_people' });
});
