import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { OperationContext } from '../../operations/context.ts';
import { formStep, runStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { assignQuiz } from './assign-and-unassign.ts';
import {
  campaignsAfter,
  campaignsBefore,
  goingOn,
  pausing,
  runningCampaigns,
  tellCampaigns,
  type RunningCampaigns,
  type ChangeOfCampaigns,
} from './running-campaigns.ts';
import { say } from '../../domain/said.ts';

export const openQuiz = defineOperation({
  name: 'open-quiz',
  command: '/quiz open <quiz>',
  synonyms: ['reopen', 're-open', 'unclose', 'activate', 'publish'],
  summary: 'Open a quiz, so that people can take it',
  isCommon: true,
  buttons: {
    quiz: [
      {
        label: 'Open',
        in: ['list', 'page'],
        position: 4,
        when: ({ status }) => status !== 'open',
        input: ({ quiz_id }) => ({ quiz: [quiz_id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Open quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', status: ['in_design', 'closed'] } },
  action: ({ quiz }) => say`open ${named(quiz.name)}`,
  effect: () => say`People could take it right away.`,
  isDone: ({ quiz }) => quiz.status === 'open',
  async warn({ api, call }, { quiz }, through) {
    if (through !== 'form' || quiz.status !== 'in_design') return undefined;
    return (await api.responses.list(quiz.quiz_id, call)).length === 0 ? unseenQuestionsWarning(quiz) : undefined;
  },
  done: opened,
  noChange: ({ quiz }) => say`${named(quiz.name)} was open already. Nothing changed.`,
  async run(context, input) {
    return withCampaigns(opened(input), await setStatus(context, input.quiz, 'open'), goingOn);
  },
});

/** About a quiz that is opened for the first time. The service shows questions only in attempts. */
export function unseenQuestionsWarning(quiz: Quiz): string {
  return say`Nobody has taken ${named(quiz.name)} yet, so there’s no way to see here whether it has questions. Check it in the quiz service first.`;
}

// A quiz in design cannot be put back: the service takes only open and closed.
function opened({ quiz }: { quiz: Quiz }): DoneResult {
  const input = { quiz: [quiz.quiz_id] };
  return {
    kind: 'done',
    message: say`Opened ${named(quiz.name)}. People can take it now.`,
    next: [
      runStep(quiz.status === 'closed' ? say`Undo` : say`Close quiz`, closeQuiz, input),
      formStep(say`Assign…`, assignQuiz, input),
    ],
  };
}

export const closeQuiz = defineOperation({
  name: 'close-quiz',
  command: '/quiz close <quiz>',
  synonyms: ['unopen', 'deactivate', 'lock', 'unpublish'],
  summary: 'Close a quiz, so that nobody can take it',
  isCommon: true,
  buttons: {
    quiz: [
      // A quiz in a status that the specification does not name can be opened and closed.
      {
        label: 'Close',
        in: ['list', 'page'],
        position: 4,
        when: ({ status }) => status !== 'closed' && status !== 'in_design',
        input: ({ quiz_id }) => ({ quiz: [quiz_id] }),
      },
      { label: 'Close…', in: ['home'], position: 4, opens: 'form', input: ({ quiz_id }) => ({ quiz: [quiz_id] }) },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Close quiz',
  fields: {
    quiz: {
      kind: 'quiz',
      label: 'Quiz',
      hint: 'Nobody can take it until you open it again.',
      status: ['open', 'in_design'],
    },
  },
  action: ({ quiz }) => say`close ${named(quiz.name)}`,
  effect: async (context, { quiz }) => closingInWords(quiz, await runningCampaigns(context, quiz)),
  warn: async (context, { quiz }) => campaignsBefore(quiz, await runningCampaigns(context, quiz), pausing),
  isDone: ({ quiz }) => quiz.status === 'closed',
  done: closed,
  noChange: ({ quiz }) => say`${named(quiz.name)} was closed already. Nothing changed.`,
  async run(context, input) {
    return withCampaigns(closed(input), await setStatus(context, input.quiz, 'closed'), pausing);
  },
});

/** What closing would do, in the conditional. */
export function closingInWords(quiz: Pick<Quiz, 'name'>, running: RunningCampaigns): string {
  const paused = campaignsBefore(quiz, running, pausing);
  const effect = say`Nobody could take it until someone opens it again.`;
  return paused === undefined ? effect : `${effect} ${paused}`;
}

function closed({ quiz }: { quiz: Quiz }): DoneResult {
  return {
    kind: 'done',
    message: say`Closed ${named(quiz.name)}. Nobody can take it until you open it again.`,
    next: [runStep(quiz.status === 'in_design' ? say`Open quiz` : say`Open again`, openQuiz, { quiz: [quiz.quiz_id] })],
  };
}

/** @returns the campaigns that run for it */
async function setStatus(context: OperationContext, quiz: Quiz, status: 'open' | 'closed'): Promise<RunningCampaigns> {
  await context.api.quizzes.update(quiz.quiz_id, { status }, context.call);
  context.directory.quizzes.edit(quiz.quiz_id, (known) => ({ ...known, status }));
  const running = await runningCampaigns(context, quiz);
  await tellCampaigns(context, running, { name: quiz.name, status });
  return running;
}

function withCampaigns(result: DoneResult, running: RunningCampaigns, change: ChangeOfCampaigns): DoneResult {
  return { ...result, message: `${result.message}${campaignsAfter(running, change)}` };
}
