import { publicName } from '../../directory/names.ts';
import { named, phraseList } from '../../domain/sentence.ts';
import { respondentName } from '../../domain/short-name.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User, UserChanges } from '../../quiz-api/users.ts';
import type { SubscriptionState } from '../context.ts';
import type { Channel } from '../fields/channel.ts';
import { campaignProposals } from './campaigns.ts';
import { aType, capitalized, channelInWords, resultsInWords, rightsInWords } from './words.ts';
import { batchProposals } from './batches.ts';

type QuizName = Pick<Quiz, 'name'>;
type UserName = Pick<User, 'user_id' | 'first_name' | 'last_name' | 'user_type'>;

/**
 * What a change would do, in the conditional. Shown below the action, so a sentence names what it is about only where it
 * could be taken for something else.
 */
export const proposals = {
  ...batchProposals,
  ...campaignProposals,
  'create-quiz': () => 'It would be in design until someone opens it.',
  'rename-quiz': ({ quiz, name }: { quiz: QuizName; name: string }) =>
    `${named(quiz.name)} would be called ${named(name)} for everyone.`,
  'open-quiz': () => 'People could take it right away.',
  'close-quiz': () => 'Nobody could take it until someone opens it again.',
  'copy-quiz': ({ name }: { name?: string | undefined }) =>
    `The copy would have the same questions${name === undefined ? ', and the quiz service would choose its name' : ''}.`,
  'delete-quiz': ({ quiz, responses }: { quiz: QuizName; responses: number }) =>
    `${named(quiz.name)} would be deleted for good${responsesInWords(responses)}`,
  'assign-quiz': ({ quiz }: { quiz: Pick<Quiz, 'status'> }) => `They could take it ${whenTaken(quiz)}.`,
  'unassign-quiz': () => 'It would no longer be among their quizzes, unless they also have it another way.',
  'delete-response': ({ quiz, response, at }: { quiz: QuizName; response: QuizResponse; at: string }) => {
    const facts = [
      at,
      ...(response.percentage_score === null ? [] : [`${Math.round(response.percentage_score)}%`]),
    ].join(', ');
    return `${named(respondentName(response))}’s attempt${numberOf(response)} at ${named(quiz.name)} (${facts}) would be deleted for good, with its answers and files.`;
  },
  'create-user': ({
    user_name,
    user_type,
    flags = [],
    suspended = [],
  }: {
    user_name: string;
    user_type: string;
    flags?: string[] | undefined;
    suspended?: string[] | undefined;
  }) => {
    const rights = flags.length === 0 ? '' : ` who could ${rightsInWords(flags)}`;
    const state = suspended.length === 0 ? '' : ' They couldn’t sign in until someone reinstates them.';
    return `${named(user_name)} would be ${aType(user_type)}${rights}.${state}`;
  },
  'update-user': (changes: Omit<UserChanges, 'password' | 'suspended'>) =>
    capitalized(
      `${phraseList(Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [changeInWords(field, value)])))}.`,
    ),
  'suspend-user': () => 'They couldn’t sign in until someone reinstates them.',
  'reinstate-user': ({ user }: { user: UserName }) => `They could sign in again, as ${aType(user.user_type)}.`,
  'reset-password': ({ user }: { user: UserName }) =>
    `Their password would stop working. The requester would see a new one, and could sign in with it as ${named(publicName(user))}, ${aType(user.user_type)}.`,
  'delete-user': ({ user }: { user: UserName & Pick<User, 'quizzes'> }) => {
    const quizzes =
      user.quizzes.length === 0
        ? ''
        : ` with ${user.quizzes.length} assigned ${user.quizzes.length === 1 ? 'quiz' : 'quizzes'}`;
    return `${named(publicName(user))}, ${aType(user.user_type)}${quizzes}, would be deleted for good.`;
  },
  'add-to-group': () => 'They would have every quiz that is assigned to the group.',
  'remove-from-group': () => 'They would lose the quizzes that they have only through the group.',
  'assign-to-group': ({ quiz }: { quiz: Pick<Quiz, 'status'> }) =>
    `Everyone in the group could take it ${whenTaken(quiz)}.`,
  'unassign-from-group': () => 'Its members would no longer have the quiz, unless they also have it another way.',
  'subscribe-channel': ({ channel }: { channel: Channel }) =>
    `Everyone in ${channelInWords(channel)} could read the results.`,
  'unsubscribe-channel': () => 'No results would be posted there any more.',
  'pause-alerts': () => 'New results would wait until the pause ends or someone resumes them.',
  'resume-alerts': () => 'Results would be posted again, including those that waited.',
  'test-alerts': ({ subscription: { subscription } }: { subscription: SubscriptionState }) =>
    `The channel would get a sample alert with ${resultsInWords(subscription.quiz)}.`,
};

function responsesInWords(count: number): string {
  if (count === 0) return '. It has no responses.';
  return count === 1 ? ', with its only response.' : `, with its ${count.toLocaleString('en')} responses.`;
}

function whenTaken({ status }: Pick<Quiz, 'status'>): string {
  return status === 'open' ? 'right away' : 'as soon as someone opens it';
}

/** “ 2” for the second attempt; empty where the service gives no number. */
export function numberOf({ attempt }: Pick<QuizResponse, 'attempt'>): string {
  return attempt ? ` ${attempt}` : '';
}

function changeInWords(field: string, value: string | boolean): string {
  if (typeof value === 'boolean')
    return value ? `they could ${rightsInWords([field])}` : `they could no longer ${rightsInWords([field])}`;
  if (field === 'user_type') return `they would become ${aType(value)}`;
  const label = field === 'email_address' ? 'e-mail address' : field.replace('_', ' ');
  return value === '' ? `they would have no ${label}` : `their ${label} would be ${named(value)}`;
}
