import { fullName, publicName } from '../../directory/names.ts';
import { named, namedList } from '../../domain/sentence.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { SubscriptionSpec } from '../../domain/subscription.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';
import { assigneesInWords, type Assignee } from '../fields/assignees.ts';
import { specWords } from '../subscription-words.ts';
import { campaignOutcomes } from './campaigns.ts';
import { changedParts, type ChangedFields } from './actions.ts';
import { numberOf } from './proposals.ts';
import { aType, capitalized, resultsInWords } from './words.ts';
import { batchOutcomes } from './batches.ts';

type QuizName = Pick<Quiz, 'name'>;
type GroupName = Pick<Group, 'group_name'>;
/** Of a user whose record the person sees. */
type UserName = Pick<User, 'user_name' | 'first_name' | 'last_name'>;
/** Of any user the person may choose. */
type PublicName = Pick<User, 'user_id' | 'first_name' | 'last_name'>;

interface Membership {
  users: readonly PublicName[];
  /** Those for whom nothing changed. */
  already: readonly PublicName[];
  group: GroupName;
}

const namesOf = (users: readonly PublicName[]): string => namedList(users.map(publicName));
const were = ({ length }: readonly PublicName[]): string => (length === 1 ? 'was' : 'were');

/** `found`: the service did not confirm the change, and something new looks like it. */
type Certainty = 'certain' | 'not listed' | 'found';

/** `channel` in words, such as “this channel”. */
interface Subscribed {
  channel: string;
  spec: Omit<SubscriptionSpec, 'channelId'>;
}

/** What a change did, in the past tense. */
export const outcomes = {
  ...batchOutcomes,
  ...campaignOutcomes,
  'create-quiz': ({ name }: QuizName, certainty: Certainty) => {
    if (certainty === 'found')
      return `Found a new quiz called ${named(name)}. The quiz service didn’t confirm that it created one, so check that it’s yours.`;
    return `Created ${named(name)}. It’s in design until you open it.${certainty === 'not listed' ? ' The quiz service didn’t say which quiz in the list it is.' : ''}`;
  },
  'rename-quiz': ({ quiz, name }: { quiz: QuizName; name: string }) => `Renamed ${named(quiz.name)} to ${named(name)}.`,
  'open-quiz': ({ quiz }: { quiz: QuizName }) => `Opened ${named(quiz.name)}. People can take it now.`,
  'close-quiz': ({ quiz }: { quiz: QuizName }) =>
    `Closed ${named(quiz.name)}. Nobody can take it until you open it again.`,
  'copy-quiz': ({ quiz, name }: { quiz: QuizName; name: string | undefined }, certainty: Certainty) => {
    const called = name === undefined ? '' : ` called ${named(name)}`;
    if (certainty === 'found')
      return `Found a new quiz${called}. The quiz service didn’t confirm that it copied ${named(quiz.name)}, so check that it’s the copy.`;
    return `Copied ${named(quiz.name)}${name === undefined ? '' : ` as ${named(name)}`}.${certainty === 'not listed' ? ' The quiz service didn’t say which quiz in the list is the copy.' : ''}`;
  },
  'delete-quiz': ({ quiz }: { quiz: QuizName }) => `Deleted ${named(quiz.name)} and all its responses.`,
  'assign-quiz': ({ quiz, assignees }: { quiz: Pick<Quiz, 'name' | 'status'>; assignees: readonly Assignee[] }) =>
    `Assigned ${named(quiz.name)} to ${assigneesInWords(assignees)}.${untilOpen(quiz)}`,
  'unassign-quiz': ({ quiz, assignees }: { quiz: QuizName; assignees: readonly Assignee[] }) =>
    `Unassigned ${named(quiz.name)} from ${assigneesInWords(assignees)}.`,
  'delete-response': ({ quiz, response }: { quiz: QuizName; response: QuizResponse }) =>
    `Deleted ${named(respondentName(response))}’s attempt${numberOf(response)} at ${named(quiz.name)}.`,
  'create-user': ({
    user,
    suspended,
    password,
  }: {
    user: UserName & Pick<User, 'user_type'>;
    suspended: boolean;
    password: 'mailed' | 'offered' | 'unknown';
  }) => {
    const state = suspended ? ' They can’t sign in until you reinstate them.' : '';
    return `Created ${named(fullName(user))} as ${aType(user.user_type)}.${state}${aboutPassword[password]}`;
  },
  'update-user': ({ user, ...changes }: { user: UserName } & ChangedFields) =>
    `Changed the ${changedParts(changes)} of ${named(fullName(user))}.`,
  'suspend-user': ({ user }: { user: UserName }) =>
    `Suspended ${named(fullName(user))}. They can’t sign in until someone reinstates them.`,
  'reinstate-user': ({ user }: { user: UserName }) => `Reinstated ${named(fullName(user))}. They can sign in again.`,
  'reset-password': ({ user }: { user: UserName }) =>
    `Reset ${named(fullName(user))}’s password. The old one doesn’t work any more.`,
  'delete-user': ({ user }: { user: UserName }) => `Deleted the user ${named(fullName(user))}.`,
  'add-to-group': ({ users, already, group }: Membership) =>
    `Added ${namesOf(users)} to the group ${named(group.group_name)}.${already.length === 0 ? '' : ` ${namesOf(already)} ${were(already)} in it already.`}`,
  'remove-from-group': ({ users, already, group }: Membership) =>
    `Removed ${namesOf(users)} from the group ${named(group.group_name)}.${already.length === 0 ? '' : ` ${namesOf(already)} ${were(already)}n’t in it.`}`,
  'assign-to-group': ({ quiz, group }: { quiz: Pick<Quiz, 'name' | 'status'>; group: GroupName }) =>
    `Assigned ${named(quiz.name)} to the group ${named(group.group_name)}.${untilOpen(quiz)}`,
  'unassign-from-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) =>
    `Unassigned ${named(quiz.name)} from the group ${named(group.group_name)}.`,
  'subscribe-channel': ({ channel, spec }: Subscribed) => `Subscribed ${channel} to ${subscribedResults(spec)}.`,
  'unsubscribe-channel': ({ channel, spec, waiting }: Subscribed & { waiting: number }) =>
    `Unsubscribed ${channel} from ${subscribedResults(spec)}.${waitingInWords(waiting, 'that was waiting won’t be posted', 'that were waiting won’t be posted')}`,
  'pause-alerts': ({ channel, spec, until }: Subscribed & { until: string }) =>
    `Paused alerts in ${channel} ${until}: ${alertsInWords(spec)}. New submissions are kept for 7 days.`,
  'resume-alerts': ({ channel, spec, waiting }: Subscribed & { waiting: number }) =>
    `Resumed alerts in ${channel}: ${alertsInWords(spec)}.${waitingInWords(waiting, 'that was waiting will be posted now', 'that were waiting will be posted now')}`,
  'test-alerts': ({ channel, spec }: Subscribed) => `Posted a test in ${channel}: ${alertsInWords(spec)}.`,
};

/** What to say where things already were as the change would have made them. */
export const noChanges = {
  'rename-quiz': ({ name }: { name: string }) => `${named(name)} was called that already. Nothing changed.`,
  'open-quiz': ({ quiz }: { quiz: QuizName }) => `${named(quiz.name)} was open already. Nothing changed.`,
  'close-quiz': ({ quiz }: { quiz: QuizName }) => `${named(quiz.name)} was closed already. Nothing changed.`,
  'assign-quiz': ({ quiz, assignees }: { quiz: QuizName; assignees: readonly Assignee[] }) =>
    `${capitalized(assigneesInWords(assignees))} had ${named(quiz.name)} already. Nothing changed.`,
  'unassign-quiz': ({ quiz, assignees }: { quiz: QuizName; assignees: readonly Assignee[] }) =>
    `${named(quiz.name)} wasn’t assigned to ${assigneesInWords(assignees)}. Nothing changed.`,
  'update-user': ({ user }: { user: UserName }) =>
    `${named(fullName(user))} had these values already. Nothing changed.`,
  'suspend-user': ({ user }: { user: UserName }) => `${named(fullName(user))} was suspended already. Nothing changed.`,
  'reinstate-user': ({ user }: { user: UserName }) => `${named(fullName(user))} wasn’t suspended. Nothing changed.`,
  'add-to-group': ({ user, group }: { user: readonly PublicName[]; group: GroupName }) =>
    `${namesOf(user)} ${were(user)} in the group ${named(group.group_name)} already. Nothing changed.`,
  'remove-from-group': ({ user, group }: { user: readonly PublicName[]; group: GroupName }) =>
    `${namesOf(user)} ${were(user)}n’t in the group ${named(group.group_name)}. Nothing changed.`,
  'assign-to-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) =>
    `The group ${named(group.group_name)} had ${named(quiz.name)} already. Nothing changed.`,
  'unassign-from-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) =>
    `${named(quiz.name)} wasn’t assigned to the group ${named(group.group_name)}. Nothing changed.`,
  'subscribe-channel': ({ channel, spec, isPaused }: Subscribed & { isPaused: boolean }) =>
    `${capitalized(channel)} was already subscribed to ${subscribedResults(spec)}${isPaused ? ' (paused)' : ''}. Nothing changed.`,
  'pause-alerts': ({ channel, spec, until }: Subscribed & { until: string }) =>
    `Alerts in ${channel} were already paused ${until}: ${alertsInWords(spec)}. Nothing changed.`,
  'resume-alerts': ({ channel, spec }: Subscribed) =>
    `Alerts in ${channel} weren’t paused: ${alertsInWords(spec)}. Nothing changed.`,
};

/** Follows an outcome that the service did not confirm. */
export const unconfirmed = 'The quiz service didn’t confirm it, so the bot checked.';

const aboutPassword = {
  mailed: ' The welcome e-mail has their password.',
  offered: '',
  unknown:
    ' The quiz service doesn’t list them yet, and nobody knows their password: set one later with `/quiz-user reset-password`.',
};

function untilOpen({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? '' : ' They can take it once it’s open.';
}

function waitingInWords(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return count === 1 ? ` The submission ${one}.` : ` The ${count.toLocaleString('en')} submissions ${many}.`;
}

/** Such as “results of ⁨Fire safety⁩: failed only, one message per submission”. */
function subscribedResults(spec: Subscribed['spec']): string {
  return `${resultsInWords(spec.quiz)}: ${specWords(spec).join(', ')}`;
}

/** Such as “⁨Fire safety⁩, failed only, one message per submission”. */
function alertsInWords(spec: Subscribed['spec']): string {
  return [spec.quiz === null ? 'every quiz' : named(spec.quiz.name), ...specWords(spec)].join(', ');
}
