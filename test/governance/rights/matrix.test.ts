import { expect, test, describe } from 'vitest';
import type { Actor } from '../../../src/directory/identity.ts';
import { possibleDecisions, type PolicyDecision } from '../../../src/governance/rights/policy.ts';
import { rightsOf, diagnoseLimits, faultsOfLimits, denialMessage } from '../../../src/governance/rights/rights.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { actor } from '../../support/builders/users.ts';
import { limitLevels, readLimits, type LimitLevel } from '../../../src/domain/rights-limits.ts';
import { judge, mayDecide } from '../../../src/governance/perform/judge.ts';

const people: Record<string, Actor> = {
  admin: actor({ user_type: 'administrator', edit_quizzes: true, manage_users: true, manage_groups: true }),
  unflag: actor({ user_type: 'administrator' }),
  owner: actor(undefined, { isOwner: true, nobody: undefined }),
  edits: actor({ user_type: 'trainer', edit_quizzes: true }),
  users: actor({ user_type: 'trainer', manage_users: true }),
  groups: actor({ user_type: 'trainer', manage_groups: true }),
  trainer: actor({ user_type: 'trainer' }),
  respond: actor({ user_type: 'respondent', edit_quizzes: true, manage_users: true, manage_groups: true }),
  unknown: actor({ user_type: 'auditor', edit_quizzes: true, manage_users: true, manage_groups: true }),
  suspend: actor({ user_type: 'administrator', suspended: true }),
  guest: actor(undefined, { nobody: 'guest' }),
  stranger: actor(undefined, { nobody: 'stranger' }),
  nobody: actor(undefined),
};

/** `asks?`: at once or with approval, as the input is. */
function wordFor(verdicts: ReadonlySet<string>): string {
  if (verdicts.has('at once')) return verdicts.has('approval') ? 'asks?' : 'yes';
  return verdicts.has('approval') ? 'asks' : '-';
}

test('who can do what: at once (yes), with someone else’s approval (asks), or not at all (-)', async () => {
  const heading = ['', ...Object.keys(people)];
  const rows = catalog.map((operation) => [
    operation.name,
    ...Object.values(people).map((person) => wordFor(possibleDecisions(operation, rightsOf(person)))),
  ]);
  const table = [heading, ...rows].map(
    ([name = '', ...cells]) =>
      `${name.padEnd(21)}${cells
        .map((cell) => cell.padEnd(9))
        .join('')
        .trimEnd()}`,
  );
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('matrix.txt');
});

const everyFlag = { edit_quizzes: true, manage_users: true, manage_groups: true } as const;
const limited = {
  admin: actor({ user_type: 'administrator', ...everyFlag }, { personId: 'UADA' }),
  owner: actor(undefined, { isOwner: true, nobody: undefined }),
  trainer: actor({ user_type: 'trainer', ...everyFlag }),
  plain: actor({ user_type: 'trainer' }),
  respondent: actor({ user_type: 'respondent' }),
  nobody: actor(undefined),
};
const limitsOf = (name: string, level: LimitLevel) => new Map([[name, level]]);
const downwards: readonly PolicyDecision[] = ['at once', 'approval', 'refused'];

describe('RIGHTS', () => {
  test('no limit gives anybody more than they have without it', () => {
    const best = (decisions: ReadonlySet<PolicyDecision>) =>
      Math.min(...[...decisions].map((decision) => downwards.indexOf(decision)));
    for (const operation of catalog)
      for (const level of limitLevels)
        for (const person of Object.values(limited)) {
          const before = possibleDecisions(operation, rightsOf(person));
          const after = possibleDecisions(operation, rightsOf({ ...person, limits: limitsOf(operation.name, level) }));
          expect(best(after)).toBeGreaterThanOrEqual(best(before));
        }
  });

  test.each([
    ['nobody', 'refused', 'refused', 'refused'],
    ['administrators', 'at once', 'at once', 'refused'],
    ['approval', 'approval', 'approval', 'approval'],
  ] as const)(
    '%s leaves opening a quiz to administrators, owners and trainers as %s, %s and %s',
    (level, ...expected) => {
      const operation = operationNamed('open-quiz')!;
      const decisions = [limited.admin, limited.owner, limited.trainer].map((person) => [
        ...possibleDecisions(operation, rightsOf({ ...person, limits: limitsOf('open-quiz', level) })),
      ]);
      expect(decisions).toEqual(expected.map((decision) => [decision]));
    },
  );

  test('holds where an operation is decided, also for those who decide on the request of another', () => {
    const operation = operationNamed('delete-quiz')!;
    const limits = limitsOf('delete-quiz', 'nobody');
    const person = { ...limited.admin, limits };
    expect(judge({ actor: person, rights: rightsOf(person), platform: { name: 'Slack' } }, operation, {})).toEqual({
      kind: 'refused',
      why: 'rights',
      message: 'This bot is set up so that nobody can do this from here. Do it in the quiz account.',
    });
    const open = operationNamed('open-quiz')!;
    expect(mayDecide(open, {}, rightsOf(limited.trainer))).toBe(true);
    expect(mayDecide(open, {}, rightsOf({ ...limited.trainer, limits: limitsOf('open-quiz', 'approval') }))).toBe(
      false,
    );
    expect(
      denialMessage(
        { ...limited.trainer, limits: limitsOf('open-quiz', 'administrators') },
        'edit_quizzes',
        { name: 'Slack' },
        open,
      ),
    ).toContain('only administrators can do this');
  });

  test('with a name or word that means nothing is refused with a sentence', () => {
    expect(readLimits(['delete-quiz:nobody', 'open-quiz: approval']).limits).toEqual(
      new Map([
        ['delete-quiz', 'nobody'],
        ['open-quiz', 'approval'],
      ]),
    );
    expect(readLimits(['delete-quiz', 'x:everybody', 'a:nobody', 'a:nobody']).problems).toEqual([
      'delete-quiz says neither nobody nor administrators nor approval after a colon',
      'x:everybody says neither nobody nor administrators nor approval after a colon',
      'a is there twice',
    ]);
    expect(faultsOfLimits('delete-quizzes:nobody')).toEqual([
      'RIGHTS names delete-quizzes, which is no operation: docs/permissions-and-approvals.md lists them.',
    ]);
    expect(faultsOfLimits('show-results:approval')).toEqual([
      'RIGHTS has show-results:approval, and only changes can be approved: use nobody or administrators.',
    ]);
    expect(faultsOfLimits(catalog.map(({ name }) => `${name}:nobody`).join(','))).toEqual([]);
  });

  test('is what the doctor shows', () => {
    expect(diagnoseLimits(new Map())).toEqual([]);
    expect(diagnoseLimits(limitsOf('delete-quiz', 'nobody'))).toEqual([
      expect.objectContaining({ state: 'right', text: 'RIGHTS restricts delete-quiz (nobody)' }),
    ]);
  });
});
