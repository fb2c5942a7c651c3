import { fault, right, type Diagnosis } from '../../domain/diagnosis.ts';
import type { Check, CheckMeaning, Finding } from '../../domain/finding.ts';
import { phraseList } from '../../domain/sentence.ts';
import type { Group } from '../../quiz-api/users.ts';
import { findGroups, type BoundGroups } from './rule.ts';
import { say, inEnglish } from '../../domain/said.ts';

export const groupsMeaning: CheckMeaning = {
  name: 'groups',
  topic: 'Quiz service',
  well: 'the account has the groups of GROUPS',
  gauge: {
    name: 'invigilator_groups_found',
    help: 'Whether each group in GROUPS is one of the account: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'not checked',
    remedy: 'the groups of the account cannot be read: run npm run doctor',
    forAdministrators: { headline: say`Which groups the bot is for wasn’t checked`, advice: '' },
  },
  isWatched: true,
};

/**
 * Whether each group that the bot is for is one of the account: what is not is none of the bot’s. And whether it is known which
 * quizzes they have.
 */
export function groupsCheck(
  look: () => Promise<Pick<BoundGroups, 'unresolved'> & { unread: number; quizzes: number }>,
): Check {
  return {
    ...groupsMeaning,
    async look() {
      const { unresolved, unread, quizzes } = await look();
      return groupsFinding(unresolved) ?? (unread > 0 ? unreadFinding(unread, quizzes) : undefined);
    },
  };
}

function unreadFinding(unread: number, quizzes: number): Finding {
  const left = `${unread} of ${quizzes} quizzes`;
  return {
    code: 'quiz_groups_not_read',
    effect: 'unknown',
    problem: `it is not known yet which groups have ${left}`,
    forOperator: `which groups have ${left} is not read yet: they show once it is`,
    forAdministrators: {
      headline: say`Not every quiz of the bot’s groups may show yet`,
      advice: say`The bot is still reading which groups the quizzes are assigned to.`,
    },
  };
}

/** @returns undefined where all are found */
export function groupsFinding(unresolved: BoundGroups['unresolved']): Finding | undefined {
  if (unresolved.length === 0) return undefined;
  const problems = unresolved.map(({ name, why }) =>
    why === 'several'
      ? `several groups of the account are called “${name}”`
      : `no group of the account is called “${name}”`,
  );
  return {
    code: 'groups_not_found',
    effect: 'degrades',
    problem: 'a group that the bot is for is not one of the account, so nothing of it shows',
    forOperator: `GROUPS: ${inEnglish(phraseList(problems))}, so nothing of ${unresolved.length === 1 ? 'it' : 'them'} shows. Correct the name, or use the ID of the group`,
    forAdministrators: {
      headline: say`A group that the bot is for isn’t in the quiz account`,
      advice: say`Nothing of it shows. Ask the person who runs the bot to correct \`GROUPS\`.`,
    },
    occurrence: `groups:${unresolved.map(({ name, why }) => `${name} ${why}`).join(',')}`,
  };
}

/** The lines of the doctor. @param names empty where the bot is for the whole account */
export function diagnoseGroups(names: readonly string[], groups: readonly Group[]): Diagnosis[] {
  if (names.length === 0) return [right('GROUPS is not set, so the bot is for the whole account')];
  const { ids, unresolved } = findGroups(names, groups);
  const finding = groupsFinding(unresolved);
  const found = groups.filter(({ group_id }) => ids.has(group_id)).map(({ group_name }) => `“${group_name}”`);
  return [
    ...(found.length === 0
      ? []
      : [
          right(
            `the bot is only for the ${found.length === 1 ? 'group' : 'groups'} ${inEnglish(phraseList(found))} of the account`,
          ),
        ]),
    ...(finding ? [fault(finding.forOperator)] : []),
  ];
}
