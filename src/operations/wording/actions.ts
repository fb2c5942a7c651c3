import { maskAddresses } from '../../domain/mask-addresses.ts';
import { fullName, publicName } from '../../directory/names.ts';
import { named, namedList, phraseList } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { SubscriptionState } from '../context.ts';
import { assigneesInWords, uniqueAssignees, type Assignee } from '../fields/assignees.ts';
import type { Channel } from '../fields/channel.ts';
import type { Group } from '../../quiz-api/groups.ts';
import { campaignActions } from './campaigns.ts';
import { aType, channelInWords, resultsInWords } from './words.ts';
import { batchActions } from './batches.ts';

type QuizName = Pick<Quiz, 'name'>;
type GroupName = Pick<Group, 'group_name'>;
type UserName = Pick<User, 'user_id' | 'first_name' | 'last_name'>;

interface Assignment {
  quiz: QuizName;
  to?: Assignee[] | undefined;
  people?: Assignee[] | undefined;
}

interface NewUserNames {
  user_name: string;
  first_name?: string | undefined;
  last_name?: string | undefined;
  user_type: string;
}

/** What a request asks for, in the imperative and without a period. Requests are posted in channels, so users have their public names. */
export const actions = {
  ...batchActions,
  ...campaignActions,
  'create-quiz': ({ name }: QuizName) => `create the quiz ${named(name)}`,
  'rename-quiz': ({ quiz, name }: { quiz: QuizName; name: string }) => `rename ${named(quiz.name)} to ${named(name)}`,
  'open-quiz': ({ quiz }: { quiz: QuizName }) => `open ${named(quiz.name)}`,
  'close-quiz': ({ quiz }: { quiz: QuizName }) => `close ${named(quiz.name)}`,
  'copy-quiz': ({ quiz, name }: { quiz: QuizName; name?: string | undefined }) =>
    `copy ${named(quiz.name)}${name === undefined ? '' : ` as ${named(name)}`}`,
  'delete-quiz': ({ quiz }: { quiz: QuizName }) => `delete ${named(quiz.name)}`,
  'assign-quiz': ({ quiz, ...chosen }: Assignment) =>
    `assign ${named(quiz.name)} to ${assigneesInWords(uniqueAssignees(chosen))}`,
  'unassign-quiz': ({ quiz, ...chosen }: Assignment) =>
    `unassign ${named(quiz.name)} from ${assigneesInWords(uniqueAssignees(chosen))}`,
  'delete-response': ({ quiz }: { quiz: QuizName }) => `delete an attempt at ${named(quiz.name)}`,
  'create-user': ({ user_name, first_name = '', last_name = '', user_type }: NewUserNames) =>
    `create ${named(maskAddresses(fullName({ user_name, first_name, last_name })))} as ${aType(user_type)}`,
  'update-user': ({ user, ...changes }: { user: UserName } & ChangedFields) =>
    `change the ${changedParts(changes)} of ${named(publicName(user))}`,
  'suspend-user': ({ user }: { user: UserName }) => `suspend ${named(publicName(user))}`,
  'reinstate-user': ({ user }: { user: UserName }) => `reinstate ${named(publicName(user))}`,
  'reset-password': ({ user }: { user: UserName }) => `reset the password of ${named(publicName(user))}`,
  'delete-user': ({ user }: { user: UserName }) => `delete the user ${named(publicName(user))}`,
  'add-to-group': ({ user, group }: { user: readonly UserName[]; group: GroupName }) =>
    `add ${namedList(user.map(publicName))} to the group ${named(group.group_name)}`,
  'remove-from-group': ({ user, group }: { user: readonly UserName[]; group: GroupName }) =>
    `remove ${namedList(user.map(publicName))} from the group ${named(group.group_name)}`,
  'assign-to-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) =>
    `assign ${named(quiz.name)} to the group ${named(group.group_name)}`,
  'unassign-from-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) =>
    `unassign ${named(quiz.name)} from the group ${named(group.group_name)}`,
  'subscribe-channel': ({ channel, quiz }: { channel: Channel; quiz?: Pick<Quiz, 'quiz_id' | 'name'> | undefined }) =>
    `subscribe ${channelInWords(channel)} to ${resultsInWords(quiz ? { id: quiz.quiz_id, name: quiz.name } : null)}`,
  'unsubscribe-channel': ({ subscription: { subscription } }: { subscription: SubscriptionState }) =>
    `unsubscribe the channel from ${resultsInWords(subscription.quiz)}`,
  'pause-alerts': ({ subscription: { subscription } }: { subscription: SubscriptionState }) =>
    `pause ${resultsInWords(subscription.quiz)}`,
  'resume-alerts': ({ subscription: { subscription } }: { subscription: SubscriptionState }) =>
    `resume ${resultsInWords(subscription.quiz)}`,
  'test-alerts': ({ subscription: { subscription } }: { subscription: SubscriptionState }) =>
    `post a sample alert with ${resultsInWords(subscription.quiz)}`,
};

/** The fields of an update, as far as they are given. `empty` lists the texts to remove. */
export type ChangedFields = { [Field in keyof Omit<UserChanges, 'password' | 'suspended'>]?: unknown } & {
  empty?: string[] | undefined;
};

const parts = [
  ['user_name', 'user name'],
  ['first_name', 'first name'],
  ['last_name', 'last name'],
  ['email_address', 'e-mail address'],
  ['user_type', 'type'],
] as const;
const rights = ['edit_quizzes', 'manage_users', 'manage_groups'] as const;

/** The changed parts of a user: “type, rights and last name”. */
export function changedParts({ empty = [], ...given }: ChangedFields): string {
  const changed = parts
    .filter(([field]) => given[field] !== undefined || empty.includes(field))
    .map(([, words]) => words);
  return phraseList([...changed, ...(rights.some((right) => given[right] !== undefined) ? ['rights'] : [])]);
}
