import { say } from '../../domain/said.ts';
import { visibleCampaigns } from '../../operations/fields/campaign.ts';
import { nameFor } from '../../operations/fields/user.ts';
import { defineOperation } from '../../operations/operation.ts';
import { missingPage } from './pages.ts';
import { progressOf, type Progress } from './respondents.ts';
import { hasQuiz, isIn } from '../users/belonging.ts';

export const showMissing = defineOperation({
  name: 'show-missing',
  command: '/quiz missing <quiz> in [group]',
  synonyms: ['overdue', 'outstanding', 'incomplete'],
  summary: 'List who has not taken or passed a quiz yet',
  hintForAgents: 'Answers who in a group still hasn’t done it, too. “next” has the call that reminds exactly them.',
  title: say`Who hasn’t taken a quiz`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'List people',
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
    const progress = progressOf(users, responses);
    const campaign = (await visibleCampaigns(context)).find(
      (some) => some.quiz.id === quiz.quiz_id && some.endedAt === null,
    );
    const missing = active
      .filter((user) => missingStates.has(progress.get(user.user_id)))
      .map((user) => ({ name: nameFor(user, visibility), progress: progress.get(user.user_id)! }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
    return {
      kind: 'page',
      ...missingPage({
        campaignId: campaign?.id,
        quiz,
        group,
        assigned: active.length,
        suspended: assigned.length - active.length,
        missing,
      }),
    };
  },
});

/** People who did not pass still have to, as on the board of a campaign. */
const missingStates: ReadonlySet<Progress | undefined> = new Set<Progress>(['not taken', 'begun', 'failed']);
