import type { PlainTextOption } from '@slack/types';
import type { Visibility } from '../../operations/context.ts';
import type { Assignee, AssigneesField } from '../../operations/fields/assignees.ts';
import type { GroupField } from '../../operations/fields/group.ts';
import type { SeveralField } from '../../operations/fields/several.ts';
import type { QuizField } from '../../operations/fields/quiz.ts';
import type { UserField } from '../../operations/fields/user.ts';
import type { UsersField } from '../../operations/fields/users.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import { assigneeOption, groupOption, quizOption, userOption } from '../views/blocks/options.ts';
import { stateOfOptions, type SlackFieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

export const slackQuiz: SlackFieldKind<QuizField, Quiz> = pickerOfOne(quizOption);
export const slackUser: SlackFieldKind<UserField, User> = pickerOfOne(userOption);
export const slackGroup: SlackFieldKind<GroupField, Group> = pickerOfOne(groupOption);

export const slackAssignees: SlackFieldKind<AssigneesField, Assignee[]> = pickerOfSeveral(assigneeOption);
export const slackGroups: SlackFieldKind<SeveralField<'groups'>, Group[]> = pickerOfSeveral(groupOption);
export const slackQuizzes: SlackFieldKind<SeveralField<'quizzes'>, Quiz[]> = pickerOfSeveral(quizOption);
export const slackUsers: SlackFieldKind<UsersField, User[]> = pickerOfSeveral(userOption);

export function pickerOfSeveral<F, V>(
  optionOf: (value: V, visibility: Visibility) => PlainTextOption,
): SlackFieldKind<F, V[]> {
  const optionsOf = (values: readonly V[], visibility: Visibility) =>
    values.map((value) => optionOf(value, visibility));
  return {
    element: (_field, state) => ({
      type: 'multi_external_select',
      placeholder: plain(say`Type part of a name`),
      min_query_length: 0,
      ...(state?.options?.length && { initial_options: [...state.options] }),
    }),
    read: ({ selected_options }) => stateOfOptions(selected_options),
    fill: (values, _field, visibility) => stateOfOptions(optionsOf(values, visibility)) ?? { texts: [] },
    offer: optionsOf,
    fillFromPlace: () => undefined,
  };
}

export function pickerOfOne<F, V>(
  optionOf: (value: V, visibility: Visibility) => PlainTextOption,
): SlackFieldKind<F, V> {
  return {
    element(_field, state) {
      const [initial] = state?.options ?? [];
      return {
        type: 'external_select',
        placeholder: plain(say`Type part of a name`),
        min_query_length: 0,
        ...(initial && { initial_option: initial }),
      };
    },
    read: ({ selected_option }) => stateOfOptions(selected_option ? [selected_option] : []),
    fill: (value, _field, visibility) => stateOfOptions([optionOf(value, visibility)]) ?? { texts: [] },
    offer: (value, visibility) => [optionOf(value, visibility)],
    fillFromPlace: () => undefined,
  };
}
