import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../src/directory/identity.ts';
import { judge, type Verdict } from '../../../src/governance/perform/judge.ts';
import { rightsOf } from '../../../src/governance/rights/rights.ts';
import type { OperationInput } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { actor, quizUser } from '../../support/builders/users.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { openHouse, teamId } from '../../support/house.ts';

const everyFlag = { edit_quizzes: true, manage_users: true, manage_groups: true } as const;
const person = (id: string, user: Partial<User>): Actor =>
  actor({ user_id: `u-${id}`, user_name: `${id}@quiz.example`, email_address: '', ...user }, { personId: id });
const ada = person('ada', { user_type: 'administrator', ...everyFlag });
const erin = person('erin', { user_type: 'administrator', ...everyFlag });
const tom = person('tom', { user_type: 'trainer', ...everyFlag });
const rosa = person('rosa', { user_type: 'respondent' });
const respondent = quizUser({ user_id: 'u-kim', user_type: 'respondent' });

const suspend = operationNamed('suspend-user')!;
const as = (one: Actor) => ({ actor: one, rights: rightsOf(one), platform: { name: 'Slack' } });
const decided = ({
  operation = suspend,
  input = { user: respondent },
  person: by = tom,
  approver,
}: {
  operation?: Operation;
  input?: OperationInput;
  person?: Actor;
  approver?: Actor;
}): Verdict => judge(as(by), operation, input, approver && as(approver));

describe('by their own rights', () => {
  test('an administrator suspends at once, a trainer asks, and a respondent does neither', () => {
    expect(decided({ person: ada })).toEqual({ kind: 'run' });
    expect(decided({ person: tom })).toEqual({ kind: 'ask' });
    expect(decided({ person: rosa })).toMatchObject({ kind: 'refused', why: 'rights' });
  });

  test('nobody suspends themselves', () => {
    for (const administrator of [ada, { ...ada, isOwner: true }])
      expect(decided({ person: administrator, input: { user: ada.user! } })).toMatchObject({
        kind: 'refused',
        why: 'own loss',
      });
    expect(decided({ person: tom, input: { user: tom.user! } })).toMatchObject({ kind: 'refused', why: 'own loss' });
  });
});

test.each<[string, Partial<Actor>, object]>([
  ['whose address it is', { emailAddress: 'Ada@quiz.example' }, { kind: 'refused', why: 'own loss' }],
  ['with another address', { emailAddress: 'owen@quiz.example' }, { kind: 'run' }],
  ['whose address nobody tells', {}, { kind: 'run' }],
])('an owner without a user %s suspends a user so', (_, more, verdict) => {
  const owner: Actor = { ...ada, personId: 'owen', isOwner: true, user: undefined, ...more };
  expect(decided({ person: owner, input: { user: ada.user! } })).toMatchObject(verdict);
});

describe('a change of addresses', () => {
  const update = operationNamed('update-user')!;
  const known = { ...ada, emailAddress: 'Ada@quiz.example' };
  const change = (of: Actor, changes: object) =>
    decided({ operation: update, person: of, input: { user: of.user!, ...changes } });

  test.each([
    [{ user_name: 'okafor' }],
    [{ user_name: 'okafor', email_address: 'okafor@quiz.example' }],
    [{ user_name: 'okafor', email_address: 'ada@quiz.example.org' }],
  ])('keeps nobody from being recognized who makes it for themselves (%j)', (changes) => {
    expect(change(known, changes)).toMatchObject({ kind: 'refused', why: 'own loss' });
    expect(change({ ...ada, emailAddress: undefined }, changes)).toMatchObject({ kind: 'refused', why: 'own loss' });
    expect(change({ ...known, isOwner: true }, changes)).toMatchObject({ kind: 'refused', why: 'own loss' });
    expect(
      decided({
        operation: update,
        person: erin,
        approver: known,
        input: { user: ada.user!, ...changes },
      }),
    ).toMatchObject({ kind: 'refused', why: 'approver' });
  });

  test('runs where the address that the platform tells stays, or where it is another person’s', () => {
    expect(change(known, { first_name: 'Adaeze' })).toEqual({ kind: 'run' });
    expect(change(known, { user_name: 'okafor', email_address: 'ADA@quiz.example' })).toEqual({ kind: 'run' });
    expect(change(known, { email_address: 'okafor@quiz.example' })).toEqual({ kind: 'run' });
    expect(decided({ operation: update, person: erin, input: { user: ada.user!, user_name: 'okafor' } })).toEqual({
      kind: 'run',
    });
  });

  test('that empties the address counts, too', () => {
    const byAddress = person('okafor', { user_type: 'administrator', ...everyFlag, email_address: 'ada@quiz.example' });
    const wanted = { ...byAddress, emailAddress: 'ada@quiz.example' };
    expect(change(wanted, { empty: ['email_address'] })).toMatchObject({ kind: 'refused', why: 'own loss' });
    expect(change(wanted, { empty: ['last_name'] })).toEqual({ kind: 'run' });
  });
});

describe('by an approval', () => {
  test('it runs where the person may ask and the approver may decide', () => {
    expect(decided({ approver: ada })).toEqual({ kind: 'run' });
    expect(decided({ approver: tom, person: ada })).toMatchObject({ kind: 'refused', why: 'approver' });
    expect(decided({ approver: ada, person: rosa })).toMatchObject({ kind: 'refused', why: 'rights' });
  });

  test('an approver who may not decide learns nothing of the requester', () => {
    expect(decided({ approver: rosa, person: rosa })).toMatchObject({ kind: 'refused', why: 'approver' });
  });

  test('neither the requester nor the approver loses rights by it', () => {
    expect(decided({ approver: ada, input: { user: tom.user! } })).toMatchObject({ why: 'own loss' });
    expect(decided({ approver: ada, input: { user: ada.user! } })).toMatchObject({ kind: 'refused', why: 'approver' });
  });
});

test('a person’s world has their rights, sight and place, and sends files to them alone', async () => {
  const account = openHouse();
  const context = await account.readerFor('UUMA', 'C1');
  expect(context.actor.user?.user_id).toBe('u-uma');
  expect([...context.rights]).toEqual(['known', 'staff', 'manage_users']);
  expect(context.visibility.group({ group_id: 'g-1', group_name: 'Crew' })).toBe(false);
  expect(context).toMatchObject({
    channelId: 'C1',
    timeZone: 'Europe/Berlin',
    call: { deadline: account.clock.now + 1_000 },
  });
  expect(context.now()).toBe(account.clock.now);
  expect(context.makePassword()).toBe('a-new-password');
  const file = { name: 'results.csv' } as never;
  await context.sendFile(file);
  expect(account.sendFile.mock.calls).toEqual([['UUMA', file]]);
});

test('the records in it are those of the workspace', async () => {
  const { readerFor, storage } = openHouse();
  const { records } = await readerFor('UADA');
  await storage.approvals.add(approvalRequest());
  await storage.approvals.add(approvalRequest({ id: 'request-2', state: 'closed' }));
  await storage.approvals.add(approvalRequest({ id: 'request-3', teamId: 'T0OTHER' }));
  await storage.approvals.add(approvalRequest({ id: 'request-4', operation: 'teleport-user' }));
  expect((await records.openRequests()).map(({ id }) => id)).toEqual(['request-1']);
  expect(await records.countOpenRequests()).toBe(2);
  for (const correlationId of ['a', 'b', 'c']) await storage.audit.append(teamId, auditEntry({ correlationId }));
  await storage.audit.append('T0OTHER', auditEntry({ correlationId: 'other' }));
  const references = (links: { text: string }[]) =>
    links.map(({ text }) => (JSON.parse(text) as { correlationId: string }).correlationId);
  expect(references(await records.latestLinks(2))).toEqual(['c', 'b']);
  expect(references(await records.latestLinks(2, 3))).toEqual(['b', 'a']);
  expect(references(await records.linksSince(1, 1))).toEqual(['b']);
  expect(await records.auditHead()).toEqual(await storage.audit.head(teamId));
  expect(await records.status()).toHaveProperty('undelivered');
});
