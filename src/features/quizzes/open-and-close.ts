import { named, say } from '../../domain/said.ts';
import type { Quiz } from '../../quiz-api/records.ts';
import { formStep, runStep, made, type DoneResult } from '../../operations/page.ts';
import type { QuizField } from '../../operations/fields/things.ts';
import { defineOpposites } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { assignQuiz } from './assign-and-unassign.ts';
import {
  campaignsAfter,
  campaignsBefore,
  goingOn,
  pausing,
  runningCampaigns,
  tellCampaigns,
  type RunningCampaigns,
} from './running-campaigns.ts';

/** A quiz in a status that the specification does not name can be opened and closed. */
export const [openQuiz, closeQuiz] = defineOpposites<{ quiz: QuizField }>((isOpen) => {
  const [status, change] = isOpen ? (['open', goingOn] as const) : (['closed', pausing] as const);
  const done = isOpen ? opened : closed;
  return {
    name: isOpen ? 'open-quiz' : 'close-quiz',
    command: isOpen ? '/quiz open <quiz>' : '/quiz close <quiz>',
    synonyms: isOpen
      ? ['reopen', 're-open', 'unclose', 'activate', 'publish']
      : ['unopen', 'deactivate', 'lock', 'unpublish'],
    summary: isOpen ? 'Open a quiz, so that people can take it' : 'Close a quiz, so that nobody can take it',
    isCommon: true,
    buttons: {
      quiz: [
        {
          label: isOpen ? 'Open' : 'Close',
          in: ['list', 'page'],
          position: 4,
          when: (quiz) => (isOpen ? quiz.status !== 'open' : quiz.status !== 'closed' && quiz.status !== 'in_design'),
        },
        ...(isOpen ? [] : [{ label: 'Close…', in: ['home'], position: 4, opens: 'form' } as const]),
      ],
    },
    access: 'write',
    right: 'edit_quizzes',
    submit: isOpen ? 'Open quiz' : 'Close quiz',
    fields: {
      quiz: {
        kind: 'quiz',
        label: 'Quiz',
        ...(!isOpen && { hint: 'Nobody can take it until you open it again.' }),
        status: ['in_design', isOpen ? 'closed' : 'open'],
      },
    },
    action: ({ quiz }) => (isOpen ? say`open ${named(quiz.name)}` : say`close ${named(quiz.name)}`),
    effect: (context, { quiz }) =>
      isOpen
        ? say`People could take it right away.`
        : runningCampaigns(context, quiz).then((running) => closingInWords(quiz, running)),
    async warn(context, { quiz }, through) {
      if (!isOpen) return campaignsBefore(quiz, await runningCampaigns(context, quiz), pausing);
      if (through !== 'form' || quiz.status !== 'in_design') return undefined;
      const responses = await context.api.responses.list(quiz.quiz_id, context.call);
      return responses.length === 0 ? unseenQuestionsWarning(quiz) : undefined;
    },
    isDone: ({ quiz }) => quiz.status === status,
    done,
    noChange: ({ quiz }) =>
      isOpen
        ? say`${named(quiz.name)} was open already. Nothing changed.`
        : say`${named(quiz.name)} was closed already. Nothing changed.`,
    async run(context, { quiz }) {
      await context.api.quizzes.update(quiz.quiz_id, { status }, context.call);
      context.directory.quizzes.edit(quiz.quiz_id, (known) => ({ ...known, status }));
      const running = await runningCampaigns(context, quiz);
      await tellCampaigns(context, running, { name: quiz.name, status });
      const result = done({ quiz });
      return { ...result, message: `${result.message}${campaignsAfter(running, change)}` };
    },
  };
});

function inputOf({ quiz_id }: Quiz): TextInput {
  return { quiz: [quiz_id] };
}

/** About a quiz that is opened for the first time. The service shows questions only in attempts. */
export function unseenQuestionsWarning(quiz: Quiz): string {
  return say`Nobody has taken ${named(quiz.name)} yet, so there’s no way to see here whether it has questions. Check it in the quiz service first.`;
}

// A quiz in design cannot be put back: the service takes only open and closed.
function opened({ quiz }: { quiz: Quiz }): DoneResult {
  return made(say`Opened ${named(quiz.name)}. People can take it now.`, [
    runStep(quiz.status === 'closed' ? say`Undo` : say`Close quiz`, closeQuiz, inputOf(quiz)),
    formStep(say`Assign…`, assignQuiz, inputOf(quiz)),
  ]);
}

/** What closing would do, in the conditional. */
export function closingInWords(quiz: Pick<Quiz, 'name'>, running: RunningCampaigns): string {
  const paused = campaignsBefore(quiz, running, pausing);
  const effect = say`Nobody could take it until someone opens it again.`;
  return paused === undefined ? effect : `${effect} ${paused}`;
}

function closed({ quiz }: { quiz: Quiz }): DoneResult {
  return made(say`Closed ${named(quiz.name)}. Nobody can take it until you open it again.`, [
    runStep(quiz.status === 'in_design' ? say`Open quiz` : say`Open again`, openQuiz, inputOf(quiz)),
  ]);
}
