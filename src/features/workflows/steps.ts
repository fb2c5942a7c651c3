import { assignQuiz } from '../quizzes/assign-and-unassign.ts';
import { runCampaign } from '../campaigns/operations/run-campaign.ts';
import { addToCampaign } from '../campaigns/operations/add.ts';
import { startCampaign, requireQuiz } from '../campaigns/operations/start-campaign.ts';
import type { Profile } from '../../operations/services/people.ts';
import { createUser } from '../users/create-user.ts';
import type { Operation } from '../../operations/operation.ts';
import { showQuestions } from '../questions/operations/show-questions.ts';
import { showResults } from '../results/show-results.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { formatMention } from '../../operations/typed-text.ts';

/** `acting`, `quiz` and `group` are chosen from options that the bot gives. */
export type StepInputKind = 'acting' | 'person' | 'quiz' | 'group' | 'text' | 'days' | 'yes or no';

interface StepInput {
  kind: StepInputKind;
  title: string;
  description: string;
  isRequired?: true;
}

export interface StepOutput {
  kind: 'text' | 'number' | 'yes or no' | 'time';
  title: string;
  /** Whether every success has it. */
  isRequired?: true;
}

/** A custom step: an operation that a workflow runs as the person who published it. */
export interface Step {
  name: string;
  title: string;
  description: string;
  inputs: Readonly<Record<string, StepInput>>;
  outputs: Readonly<Record<string, StepOutput>>;
  operation: Operation;
  /** With which of these the step goes on: what starts the plan that the operation makes, or what its answer offers. */
  thenRun?: readonly Operation[];
  /** Whether later steps get the campaign, and when the person has it due. */
  tellsDue?: true;
  /** The input of the operation. `profile`: of the person that the step names. */
  inputOf(given: Readonly<Record<string, string>>, profile: Profile | undefined): TextInput;
  /** Whether `inputOf` needs the profile. */
  needsProfile?: true;
  /** Whether the run goes on until the person has taken the quiz. */
  waits?: true;
}

const acting = {
  kind: 'acting',
  title: 'Runs with the rights of',
  description: 'Choose yourself',
  isRequired: true,
} as const satisfies StepInput;
const quiz = {
  kind: 'quiz',
  title: 'Quiz',
  description: 'A quiz of the account',
  isRequired: true,
} as const satisfies StepInput;
const person = {
  kind: 'person',
  title: 'Person',
  description: 'Found in the quiz account by their e-mail address',
} as const satisfies StepInput;
const group = {
  kind: 'group',
  title: 'Group',
  description: 'A group of the quiz account',
} as const satisfies StepInput;
const reason = {
  kind: 'text',
  title: 'Reason',
  description: 'For the person who approves it, where it needs approval',
} as const satisfies StepInput;

const message = { kind: 'text', title: 'What happened', isRequired: true } as const satisfies StepOutput;
const result = {
  result: { kind: 'text', title: 'Result: passed, failed, not graded, not marked or not taken', isRequired: true },
  passed: { kind: 'yes or no', title: 'Passed', isRequired: true },
  score: { kind: 'number', title: 'Score in points' },
  percentage: { kind: 'number', title: 'Percentage' },
  grade: { kind: 'text', title: 'Grade' },
  submitted_at: { kind: 'time', title: 'Submitted at' },
} as const satisfies Record<string, StepOutput>;

export const steps: readonly Step[] = [
  {
    name: 'assign_quiz',
    title: 'Assign a quiz',
    description: 'Assigns a quiz to a person, a group or both',
    inputs: { acts_as: acting, quiz, person, group, reason },
    outputs: { message },
    operation: assignQuiz,
    inputOf: (given) => ({ quiz: textsOf(given['quiz']), to: recipientsIn(given) }),
  },
  {
    name: 'create_user',
    title: 'Create a user',
    description: 'Creates a respondent in the quiz account for a person of this workspace',
    inputs: {
      acts_as: acting,
      person: { ...person, description: 'Their name and address are taken from their profile', isRequired: true },
      welcome: {
        kind: 'yes or no',
        title: 'Send a welcome e-mail',
        description: 'It has their password. Otherwise, you get a button that shows it',
      },
      reason,
    },
    outputs: { message },
    operation: createUser,
    needsProfile: true,
    inputOf: ({ welcome }, profile) => ({
      user_name: textsOf(profile?.emailAddress),
      first_name: textsOf(profile?.firstName),
      last_name: textsOf(profile?.lastName),
      user_type: ['respondent'],
      welcome: welcome === 'true' ? ['send'] : [],
    }),
  },
  {
    name: 'start_campaign',
    title: 'Start a campaign',
    description: 'Assigns a quiz to a person or a group, and reminds them until they have taken it',
    inputs: {
      acts_as: acting,
      quiz,
      person,
      group,
      due: {
        kind: 'text',
        title: 'Due',
        description: 'For example in 2 weeks, or friday. Leave it empty for no due time',
      },
      reason,
    },
    outputs: { message },
    operation: startCampaign,
    thenRun: [runCampaign],
    inputOf: (given) => ({
      quiz: textsOf(given['quiz']),
      to: recipientsIn(given),
      ...(given['due'] && { due: [given['due']] }),
    }),
  },
  {
    name: 'require_quiz',
    title: 'Require a quiz',
    description: 'Takes a person or a group into the ongoing campaign for the quiz, or starts one for them',
    inputs: {
      acts_as: acting,
      quiz,
      person,
      group,
      within: {
        kind: 'days',
        title: 'Days to take it',
        description: 'From 1 to 180, from the day they join. An ongoing campaign keeps its own',
        isRequired: true,
      },
      valid: {
        kind: 'text',
        title: 'How long a pass counts',
        description: 'For example 12 months, or until 31 jan. Leave it empty if it counts for good',
      },
      reason,
    },
    outputs: {
      message,
      campaign: { kind: 'text', title: 'Campaign' },
      due_at: { kind: 'time', title: 'Due, for the person' },
    },
    operation: requireQuiz,
    thenRun: [runCampaign, addToCampaign],
    tellsDue: true,
    inputOf: (given) => ({
      quiz: textsOf(given['quiz']),
      to: recipientsIn(given),
      within: [`${given['within']}d`],
      ...(given['valid'] && { valid: [given['valid']] }),
    }),
  },
  {
    name: 'wait_for_result',
    title: 'Wait for a result',
    description: 'Goes on when the person has taken the quiz, or when the time is over',
    inputs: {
      acts_as: acting,
      quiz,
      person: { ...person, isRequired: true },
      until_passed: {
        kind: 'yes or no',
        title: 'Wait until they pass',
        description: 'Otherwise, the first attempt they submit ends the wait',
      },
      any_time: {
        kind: 'yes or no',
        title: 'Count earlier results',
        description: 'Otherwise, what they submitted before this step began doesn’t count',
      },
      days: { kind: 'days', title: 'Days to wait', description: 'From 1 to 180. Leave it empty for 30' },
    },
    outputs: { ...result, in_time: { kind: 'yes or no', title: 'They took it in time', isRequired: true } },
    operation: showResults,
    inputOf: resultInput,
    waits: true,
  },
  {
    name: 'get_result',
    title: 'Get a result',
    description: 'Looks up how the person did in the quiz',
    inputs: { acts_as: acting, quiz, person: { ...person, isRequired: true } },
    outputs: result,
    operation: showResults,
    inputOf: resultInput,
  },
  {
    name: 'get_questions',
    title: 'Get the questions',
    description: 'Looks up which question of a quiz people get wrong most',
    inputs: { acts_as: acting, quiz, group },
    outputs: {
      attempts: { kind: 'number', title: 'Attempts', isRequired: true },
      read: { kind: 'number', title: 'Attempts whose answers are known', isRequired: true },
      question: { kind: 'text', title: 'Hardest question' },
      right: { kind: 'number', title: 'Who got it right' },
      asked: { kind: 'number', title: 'Who was asked' },
    },
    operation: showQuestions,
    inputOf: ({ quiz: quizId, group: groupId }) => ({ quiz: textsOf(quizId), group: textsOf(groupId) }),
  },
];

export function stepNamed(name: string): Step | undefined {
  return steps.find((step) => step.name === name);
}

function resultInput(given: Readonly<Record<string, string>>): TextInput {
  return { quiz: textsOf(given['quiz']), user: personMention(given['person']) };
}

function recipientsIn({ person: personId, group: groupId }: Readonly<Record<string, string>>): string[] {
  return [...personMention(personId), ...(groupId ? [`group:${groupId}`] : [])];
}

function personMention(personId: string | undefined): string[] {
  return personId ? [formatMention({ kind: 'person', id: personId })] : [];
}

function textsOf(text: string | undefined): string[] {
  return text ? [text] : [];
}
