import { fullName, publicName } from '../../directory/names.ts';
import { named } from '../../domain/sentence.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';
import { assigneesInWords, type Assignee } from '../fields/assignees.ts';
import { changedParts, type ChangedFields } from './actions.ts';
import { numberOf } from './proposals.ts';
import { aType, capitalized } from './words.ts';

type QuizName = Pick<Quiz, 'name'>;
type GroupName = Pick<Group, 'group_name'>;
/** Of a user whose record the person sees. */
type UserName = Pick<User, 'user_name' | 'first_name' | 'last_name'>;
/** Of any user the person may choose. */
type PublicName = Pick<User, 'user_id' | 'first_name' | 'last_name'>;

/** `found`: the service did not confirm the change, and something new looks like it. */
type Certainty = 'certain' | 'not listed' | 'found';

/** What a change did, in the past tense. */
export const outcomes = {
  'create-quiz': ({ name }: QuizName, certainty: Certainty) => {
    if (certainty === 'found') return `Found a new quiz called ${named(name)}. The quiz service didn’t confirm that it created one, so check that it’s yours.`;
    return `Created ${named(name)}. It’s in design until you open it.${certainty === 'not listed' ? ' The quiz service didn’t say which quiz in the list it is.' : ''}`;
  },
  'rename-quiz': ({ quiz, name }: { quiz: QuizName; name: string }) => `Renamed ${named(quiz.name)} to ${named(name)}.`,
  'open-quiz': ({ quiz }: { quiz: QuizName }) => `Opened ${named(quiz.name)}. People can take it now.`,
  'close-quiz': ({ quiz }: { quiz: QuizName }) => `Closed ${named(quiz.name)}. Nobody can take it until you open it again.`,
  'copy-quiz': ({ quiz, name }: { quiz: QuizName; name: string | undefined }, certainty: Certainty) => {
    const called = name === undefined ? '' : ` called ${named(name)}`;
    if (certainty === 'found') return `Found a new quiz${called}. The quiz service didn’t confirm that it copied ${named(quiz.name)}, so check that it’s the copy.`;
    return `Copied ${named(quiz.name)}${name === undefined ? '' : ` as ${named(name)}`}.${certainty === 'not listed' ? ' The quiz service didn’t say which quiz in the list is the copy.' : ''}`;
  },
  'delete-quiz': ({ quiz }: { quiz: QuizName }) => `Deleted ${named(quiz.name)} and all its responses.`,
  'assign-quiz': ({ quiz, assignees }: { quiz: Pick<Quiz, 'name' | 'status'>; assignees: readonly Assignee[] }) =>
    `Assigned ${named(quiz.name)} to ${assigneesInWords(assignees)}.${untilOpen(quiz)}`,
  'unassign-quiz': ({ quiz, assignees }: { quiz: QuizName; assignees: readonly Assignee[] }) => `Unassigned ${named(quiz.name)} from ${assigneesInWords(assignees)}.`,
  'delete-response': ({ quiz, response }: { quiz: QuizName; response: QuizResponse }) => `Deleted ${named(respondentName(response))}’s attempt${numberOf(response)} at ${named(quiz.name)}.`,
  'create-user': ({ user, suspended, password }: { user: UserName & Pick<User, 'user_type'>; suspended: boolean; password: 'mailed' | 'offered' | 'unknown' }) => {
    const state = suspended ? ' They can’t sign in until you reinstate them.' : '';
    return `Created ${named(fullName(user))} as ${aType(user.user_type)}.${state}${aboutPassword[password]}`;
  },
  'update-user': ({ user, ...changes }: { user: UserName } & ChangedFields) => `Changed the ${changedParts(changes)} of ${named(fullName(user))}.`,
  'suspend-user': ({ user }: { user: UserName }) => `Suspended ${named(fullName(user))}. They can’t sign in until someone reinstates them.`,
  'reinstate-user': ({ user }: { user: UserName }) => `Reinstated ${named(fullName(user))}. They can sign in again.`,
  'reset-password': ({ user }: { user: UserName }) => `Reset ${named(fullName(user))}’s password. The old one doesn’t work any more.`,
  'delete-user': ({ user }: { user: UserName }) => `Deleted the user ${named(fullName(user))}.`,
  'add-to-group': ({ user, group }: { user: PublicName; group: GroupName }) => `Added ${named(publicName(user))} to the group ${named(group.group_name)}.`,
  'remove-from-group': ({ user, group }: { user: PublicName; group: GroupName }) => `Removed ${named(publicName(user))} from the group ${named(group.group_name)}.`,
  'assign-to-group': ({ quiz, group }: { quiz: Pick<Quiz, 'name' | 'status'>; group: GroupName }) =>
    `Assigned ${named(quiz.name)} to the group ${named(group.group_name)}.${untilOpen(quiz)}`,
  'unassign-from-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) => `Unassigned ${named(quiz.name)} from the group ${named(group.group_name)}.`,
  'subscribe-channel': ({ channel, words }: { channel: string; words: string }) => `Subscribed ${channel} to ${words}.`,
  'unsubscribe-channel': ({ words, dropped }: { words: string; dropped: number }) => `Unsubscribed from ${words}.${waitingInWords(dropped, 'waiting was dropped', 'waiting were dropped')}`,
  'pause-alerts': ({ words, until }: { words: string; until: string }) => `Paused ${words} ${until}. Submissions are kept for 7 days.`,
  'resume-alerts': ({ words, waiting }: { words: string; waiting: number }) => `Resumed ${words}.${waitingInWords(waiting, 'that waited is being posted now', 'that waited are being posted now')}`,
  'test-alerts': ({ words }: { words: string }) => `Posted a test of ${words} in the channel.`,
};

/** What to say where things already were as the change would have made them. */
export const noChanges = {
  'rename-quiz': ({ name }: { name: string }) => `${named(name)} was called that already. Nothing changed.`,
  'open-quiz': ({ quiz }: { quiz: QuizName }) => `${named(quiz.name)} was open already. Nothing changed.`,
  'close-quiz': ({ quiz }: { quiz: QuizName }) => `${named(quiz.name)} was closed already. Nothing changed.`,
  'assign-quiz': ({ quiz, assignees }: { quiz: QuizName; assignees: readonly Assignee[] }) => `${capitalized(assigneesInWords(assignees))} had ${named(quiz.name)} already. Nothing changed.`,
  'unassign-quiz': ({ quiz, assignees }: { quiz: QuizName; assignees: readonly Assignee[] }) => `${named(quiz.name)} wasn’t assigned to ${assigneesInWords(assignees)}. Nothing changed.`,
  'update-user': ({ user }: { user: UserName }) => `${named(fullName(user))} had these values already. Nothing changed.`,
  'suspend-user': ({ user }: { user: UserName }) => `${named(fullName(user))} was suspended already. Nothing changed.`,
  'reinstate-user': ({ user }: { user: UserName }) => `${named(fullName(user))} wasn’t suspended. Nothing changed.`,
  'add-to-group': ({ user, group }: { user: PublicName; group: GroupName }) => `${named(publicName(user))} was in the group ${named(group.group_name)} already. Nothing changed.`,
  'remove-from-group': ({ user, group }: { user: PublicName; group: GroupName }) => `${named(publicName(user))} wasn’t in the group ${named(group.group_name)}. Nothing changed.`,
  'assign-to-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) => `The group ${named(group.group_name)} had ${named(quiz.name)} already. Nothing changed.`,
  'unassign-from-group': ({ quiz, group }: { quiz: QuizName; group: GroupName }) => `${named(quiz.name)} wasn’t assigned to the group ${named(group.group_name)}. Nothing changed.`,
  'resume-alerts': ({ words }: { words: string }) => `${capitalized(words)} wasn’t paused. Nothing changed.`,
};

/** Follows an outcome that the service did not confirm. */
export const unconfirmed = 'The quiz service didn’t confirm it, so the bot checked.';

const aboutPassword = {
  mailed: ' The welcome e-mail has their password.',
  offered: '',
  unknown: ' The quiz service doesn’t list them yet, and nobody knows their password: set one later with `/quiz-user reset-password`.',
};

function untilOpen({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? '' : ' They can take it once it’s open.';
}

function waitingInWords(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return count === 1 ? ` The submission ${one}.` : ` The ${count.toLocaleString('en')} submissions ${many}.`;
}
