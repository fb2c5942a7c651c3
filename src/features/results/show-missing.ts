import type { User } from '../../quiz-api/users.ts';
import { visibleCampaigns } from '../../operations/fields/campaign.ts';
import { nameFor } from '../../operations/fields/user.ts';
import { defineOperation } from '../../operations/operation.ts';
import { progressOf, type Progress } from './progress.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { hasQuiz, isIn } from '../users/belonging.ts';
import { partsOf, type Token } from '../../operations/typed-text.ts';

export const showMissing = defineOperation({
  name: 'show-missing',
  command: '/quiz missing <quiz> in [group]',
  parse: parseMissingLine,
  synonyms: ['overdue', 'outstanding', 'incomplete'],
  summary: 'List who has not taken or passed a quiz yet',
  hintForAgents: 'Answers who in a group still hasn’t done it, too. “next” has the call that reminds exactly them.',
  title: 'Who hasn’t taken a quiz',
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'List people',
  uses: ['campaigns'],
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    group: { kind: 'group', label: 'Group', hint: 'Only people in this group', byName: true, optional: true },
  },
  async run(context, { quiz, group }) {
    const { api, directory, visibility, call } = context;
    const [users, groups, responses] = await Promise.all([
      directory.users.fresh(call),
      api.quizzes.groups(quiz.quiz_id, call),
      api.responses.list(quiz.quiz_id, call),
    ]);
    directory.quizGroups.put(quiz.quiz_id, groups);
    const assigned = users.filter(
      (user) =>
        hasQuiz(user, quiz.quiz_id, groups) &&
        (group === undefined || isIn(user, [group])) &&
        visibility.userByName(user),
    );
    const active = assigned.filter(({ suspended }) => !suspended);
    const progress = progressOf(active, responses);
    const campaign = (await visibleCampaigns(context)).find(
      (some) => some.quiz.id === quiz.quiz_id && some.endedAt === null,
    );
    const isMissing = (user: User) => missingStates.has(progress.get(user.user_id));
    return {
      kind: 'missing',
      ...(campaign && { campaignId: campaign.id }),
      quiz,
      group,
      assigned: active.length,
      suspended: assigned.length - active.length,
      missing: active
        .filter(isMissing)
        .map((user) => ({ name: nameFor(user, visibility), progress: progress.get(user.user_id)! }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    };
  },
});

/** People who did not pass still have to, as on the board of a campaign. */
const missingStates: ReadonlySet<Progress | undefined> = new Set<Progress>(['not taken', 'begun', 'failed']);

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;

/** Reads `food in kitchen`, `food kitchen` and `kitchen food` as a quiz and a group, in every way that is possible, the likeliest first. */
export function parseMissingLine(line: string): [TextInput, ...TextInput[]] {
  const parts = partsOf(line);
  const textOf = (some: readonly Token[]) => some.map(({ text }) => text).join(' ');
  const turned = (some: readonly Token[], end: number): TextInput => ({
    quiz: [textOf(some.slice(end))],
    group: [textOf(some.slice(0, end))],
  });
  const read = (quizEnd: number, groupStart: number): TextInput => {
    const group = textOf(parts.slice(groupStart));
    return { quiz: [textOf(parts.slice(0, quizEnd))], ...(group !== '' && { group: [group] }) };
  };
  const isBetween = ({ kind, text }: Token) => kind === 'word' && /^(?:in|from|of|for)$/i.test(text);
  const between = [...parts.keys()]
    .filter((index) => index > 0 && index < parts.length - 1 && isBetween(parts[index]!))
    .toReversed();
  const longest = parts[0]?.kind === 'quoted' ? 1 : parts.length;
  const ends = Array.from({ length: Math.min(longest, readingsAtMost) }, (_, index) => longest - index);
  const [likeliest, ...others] = [
    ...between.map((index) => read(index, index + 1)),
    ...ends.map((end) => read(end, end)),
    ...ends.slice(1).map((end) => turned(parts, end)),
  ];
  return [likeliest ?? read(0, 0), ...others.slice(0, readingsAtMost - 1)];
}
