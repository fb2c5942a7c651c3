import { expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { createDeliver, type DeliverParts, type Take } from '../../../src/slack/in/deliver.ts';
import type { OwnWorkspace } from '../../../src/slack/people/people.ts';
import { createInFlight } from '../../../src/time/timers.ts';
import { recordingLog } from '../../support/log.ts';

/** Delivers a payload, by default a command from the workspace T2. */
function knock(
  ownWorkspace: () => Promise<OwnWorkspace | undefined>,
  body: object = { command: '/quiz', team_id: 'T2', user_id: 'U2' },
) {
  const audited: [string, AuditEntry][] = [];
  const take = vi.fn<Take>(async () => {});
  const deliver = createDeliver(
    {
      ownWorkspace,
      audit: async (...entry: [string, AuditEntry]) => void audited.push(entry),
      outgoingTexts: { inAcknowledgement: async (answer: unknown) => answer },
      unacknowledged: createInFlight(),
      inFlight: createInFlight(),
      metrics: { acknowledgements: { observe: () => {} } },
      onError: (error: unknown) => expect.fail(String(error)),
      clock: { now: () => 1, setTimer: () => () => {} },
      log: recordingLog().log,
    } as unknown as DeliverParts,
    take,
  );
  return { passed: deliver({ body, ack: () => {} }), take, audited };
}

const own = (teamId: string, enterpriseId?: string): OwnWorkspace => ({ teamId, enterpriseId });

test('an event waits until the workspace of the bot is known', async () => {
  const { promise, resolve } = Promise.withResolvers<OwnWorkspace>();
  const { passed, take, audited } = knock(() => promise);
  resolve(own('T1'));
  await passed;
  expect(take).not.toHaveBeenCalled();
  expect(audited).toMatchObject([['T1', { by: 'U2', operation: 'enter', action: 'refused' }]]);
});

test.each([
  ['from the workspace of the bot', own('T2'), undefined],
  ['while Slack does not name the workspace of the bot', undefined, undefined],
  [
    'from another workspace of its organization',
    own('T1', 'E1'),
    { team: { id: 'T2' }, enterprise: { id: 'E1' }, user: { id: 'U2', team_id: 'T2' } },
  ],
  [
    'without a workspace, from its organization',
    own('E1', 'E1'),
    { team: null, enterprise: { id: 'E1' }, user: { id: 'U2', team_id: 'T2' } },
  ],
  ['of a command in its organization', own('E1', 'E1'), { team_id: 'T2', enterprise_id: 'E1', user_id: 'U2' }],
  ['that names only the workspace of the person', own('T2'), { team: null, user: { id: 'U2', team_id: 'T2' } }],
])('accepts a payload %s', async (_, ownWorkspace, body) => {
  const { passed, take, audited } = knock(async () => ownWorkspace, body);
  await passed;
  expect(take).toHaveBeenCalledOnce();
  expect(audited).toEqual([]);
  expect(take.mock.calls[0]?.[1]).toBe(ownWorkspace?.teamId ?? 'T2');
});

test.each([
  ['of another organization', { team: { id: 'T2' }, enterprise: { id: 'E2' }, user: { id: 'U2' } }],
  [
    'that names only the foreign workspace of the person',
    { team: null, enterprise: null, user: { id: 'U2', team_id: 'T2' } },
  ],
])('refuses a payload %s', async (_, body) => {
  const { passed, take } = knock(async () => own('T1', 'E1'), body);
  await passed;
  expect(take).not.toHaveBeenCalled();
});
