import { named, say, amount, sentences } from '../../domain/said.ts';
import type { Quiz } from '../../quiz-api/records.ts';
import { formStep, runStep, made, type Step, type DoneResult } from '../../operations/page.ts';
import { defineOperation } from '../../operations/operation.ts';
import { assignQuiz } from './assign-and-unassign.ts';
import { openQuiz } from './open-and-close.ts';
import { viewStep } from './list-and-show.ts';
import {
  campaignsAfter,
  campaignsBefore,
  campaignStatus,
  runningCampaigns,
  showingName,
  tellCampaigns,
  type RunningCampaigns,
  ending,
} from './running-campaigns.ts';
import { takeBackQuiz } from '../administration/take-back.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { TextField } from '../../operations/fields/text.ts';
import { failedWith, unlessFailed } from '../../quiz-api/errors.ts';

const quizName = { kind: 'text', label: 'Name', maxLength: 250 } as const satisfies TextField;

/** How sure it is that a quiz is the new one. */
type Certainty =
  | 'certain'
  /** The list does not tell which it is. */
  | 'not listed'
  /** The service did not confirm the change, and something new looks like it. */
  | 'found';

/** A new quiz; undefined where the service does not show it, or several could be it. */
interface Created {
  quiz: Quiz | undefined;
  certainty: Certainty;
}

/** What the answer says of a new quiz besides its message: what comes next, and where it surely is theirs, Undo. */
function madeQuiz({ quiz, certainty }: Created, nextSteps: (quiz: Quiz) => Step[]) {
  if (quiz === undefined) return {};
  const undo = runStep(say`Undo`, takeBackQuiz, { quiz: [quiz.quiz_id] });
  if (certainty === 'found') return { next: nextSteps(quiz) };
  return { targets: [{ kind: 'quiz', id: quiz.quiz_id, name: quiz.name }], next: [...nextSteps(quiz), undo] };
}

/**
 * Creates a quiz and reads it into the directory. A service may answer without an id, or not clearly: then the quiz is the only one
 * that is as asked and was not there before, since names are not unique.
 *
 * @param steps.create resolves to the id, or to null where the answer names none
 * @throws the error of `create`, where it was refused, or unclear and nothing was found
 */
async function createAndFind(
  { api, directory, call }: OperationContext,
  steps: { create: () => Promise<string | null>; isAsAsked: (quiz: Quiz) => boolean },
): Promise<Created> {
  const before = new Set((await directory.quizzes.get(call)).map(({ quiz_id }) => quiz_id));
  const find = async () => {
    const isNew = (quiz: Quiz) => !before.has(quiz.quiz_id) && steps.isAsAsked(quiz);
    const [candidate, ...others] = (await api.quizzes.list(call)).filter(isNew);
    return others.length === 0 ? candidate : undefined;
  };
  const known = ({ quiz, certainty }: Created): Created => {
    if (quiz) directory.quizzes.put(quiz);
    return { quiz, certainty };
  };
  let id: string | null;
  try {
    id = await steps.create();
  } catch (error) {
    const found = failedWith(error, 'mayBeDone') ? await find().catch(unlessFailed) : undefined;
    if (found === undefined) throw error;
    return known({ quiz: found, certainty: 'found' });
  }
  // From here on it exists: an error must not make the creation look failed.
  const quiz = await (id === null ? find() : api.quizzes.get(id, call)).catch(unlessFailed);
  return known({ quiz, certainty: quiz ? 'certain' : 'not listed' });
}

export const createQuiz = defineOperation({
  name: 'create-quiz',
  command: '/quiz create <name>',
  synonyms: ['new'],
  summary: 'Create a quiz, ready to be designed in the quiz service',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Create quiz',
  makesNew: true,
  fields: { name: quizName },
  action: ({ name }) => say`create the quiz ${named(name)}`,
  effect: () => say`It would be in design until someone opens it.`,
  async run(context, { name }) {
    const created = await createAndFind(context, {
      create: () => context.api.quizzes.create({ name }, context.call),
      isAsAsked: (quiz) => quiz.name === name,
    });
    return { kind: 'done', message: createdMessage(name, created.certainty), ...madeQuiz(created, stepsOfNew) };
  },
});

/** Says that a quiz was created, as far as the service tells. */
export function createdMessage(name: string, certainty: Certainty): string {
  if (certainty === 'found')
    return say`Found a new quiz called ${named(name)}. The quiz service didn’t confirm that it created one, so check that it’s yours.`;
  const created = say`Created ${named(name)}. It’s in design until you open it.`;
  return certainty === 'not listed'
    ? `${created} ${say`The quiz service didn’t say which quiz in the list it is.`}`
    : created;
}

/** What people often do with a new quiz. */
export function stepsOfNew({ quiz_id }: Pick<Quiz, 'quiz_id'>): Step[] {
  const input = { quiz: [quiz_id] };
  return [runStep(say`Open quiz`, openQuiz, input), formStep(say`Assign…`, assignQuiz, input)];
}

export const copyQuiz = defineOperation({
  name: 'copy-quiz',
  command: '/quiz copy <quiz> as [name]',
  synonyms: ['duplicate', 'clone'],
  summary: 'Copy a quiz with its questions',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Copy quiz',
  makesNew: true,
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    name: {
      ...quizName,
      label: 'Name of the copy',
      hint: 'If you leave it empty, the quiz service chooses a name.',
      optional: true,
    },
  },
  action: ({ quiz, name }) =>
    name === undefined ? say`copy ${named(quiz.name)}` : say`copy ${named(quiz.name)} as ${named(name)}`,
  effect: (_, { name }) =>
    name === undefined
      ? say`The copy would have the same questions, and the quiz service would choose its name.`
      : say`The copy would have the same questions.`,
  async run(context, { quiz, name }) {
    const copied = await createAndFind(context, {
      create: () => context.api.quizzes.copy(quiz.quiz_id, { name }, context.call),
      // Where the service chooses the name, only an answer without an id leaves any new quiz to be the copy.
      isAsAsked: (copy) => name === undefined || copy.name === name,
    });
    const message = copiedMessage(quiz, copied.quiz?.name ?? name, copied.certainty);
    return { kind: 'done', message, ...madeQuiz(copied, stepsOfCopy) };
  },
});

/** Says that a quiz was copied, as far as the service tells. */
export function copiedMessage(quiz: Pick<Quiz, 'name'>, name: string | undefined, certainty: Certainty): string {
  if (certainty === 'found')
    return name === undefined
      ? say`Found a new quiz. The quiz service didn’t confirm that it copied ${named(quiz.name)}, so check that it’s the copy.`
      : say`Found a new quiz called ${named(name)}. The quiz service didn’t confirm that it copied ${named(quiz.name)}, so check that it’s the copy.`;
  const copied =
    name === undefined ? say`Copied ${named(quiz.name)}.` : say`Copied ${named(quiz.name)} as ${named(name)}.`;
  return certainty === 'not listed'
    ? `${copied} ${say`The quiz service didn’t say which quiz in the list is the copy.`}`
    : copied;
}

/** What people often do with a copy. */
export function stepsOfCopy(copy: Pick<Quiz, 'quiz_id'>): Step[] {
  return [viewStep(copy), formStep(say`Rename…`, renameQuiz, { quiz: [copy.quiz_id] })];
}

export const renameQuiz = defineOperation({
  name: 'rename-quiz',
  command: '/quiz rename <quiz> to <name>',
  summary: 'Rename a quiz',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Rename quiz',
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    name: { ...quizName, label: 'New name' },
    was: { ...quizName, label: 'Name before', optional: true, typedOnly: true },
  },
  /** An Undo can be pressed after others have renamed it, too. */
  confirm: ({ quiz, name, was }) =>
    was === undefined || quiz.name === was || quiz.name === name
      ? undefined
      : {
          question: say`${named(was)} was renamed to ${named(quiz.name)} since then. Rename it to ${named(name)} all the same?`,
          label: say`Rename quiz`,
          input: { quiz: [quiz.quiz_id], name: [name] },
        },
  action: ({ quiz, name }) => say`rename ${named(quiz.name)} to ${named(name)}`,
  effect: async (context, input) => renamingInWords(input, await runningCampaigns(context, input.quiz)),
  isDone: ({ quiz, name }) => quiz.name === name,
  done: renamed,
  noChange: ({ name }) => say`${named(name)} was called that already. Nothing changed.`,
  async run(context, input) {
    const { quiz, name } = input;
    await context.api.quizzes.update(quiz.quiz_id, { name }, context.call);
    context.directory.quizzes.edit(quiz.quiz_id, (known) => ({ ...known, name }));
    const running = await runningCampaigns(context, quiz);
    await tellCampaigns(context, running, { name, status: campaignStatus(quiz) });
    const result = renamed(input);
    return { ...result, message: `${result.message}${campaignsAfter(running, showingName)}` };
  },
});

/** What renaming would do, in the conditional. */
export function renamingInWords(
  { quiz, name }: { quiz: Pick<Quiz, 'name'>; name: string },
  running: RunningCampaigns,
): string {
  const shown = campaignsBefore(quiz, running, showingName);
  const effect = say`${named(quiz.name)} would be called ${named(name)} for everyone.`;
  return shown === undefined ? effect : `${effect} ${shown}`;
}

function renamed({ quiz, name }: { quiz: Quiz; name: string }): DoneResult {
  const canUndo = quiz.name !== name && quiz.name !== '';
  return made(
    say`Renamed ${named(quiz.name)} to ${named(name)}.`,
    canUndo ? [runStep(say`Undo`, renameQuiz, { quiz: [quiz.quiz_id], name: [quiz.name], was: [name] })] : [],
  );
}

export const deleteQuiz = defineOperation({
  name: 'delete-quiz',
  command: '/quiz delete <quiz>',
  synonyms: ['remove'],
  summary: 'Delete a quiz and all its responses for good',
  access: 'destructive',
  right: 'edit_quizzes',
  submit: 'Delete quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz', hint: 'This also deletes all its responses. You can’t undo it.' } },
  action: ({ quiz }) => say`delete ${named(quiz.name)}`,
  async effect(context, { quiz }) {
    const { length } = await context.api.responses.list(quiz.quiz_id, context.call);
    return deletionInWords(quiz, length, await runningCampaigns(context, quiz));
  },
  done: deleted,
  async run(context, input) {
    const { quiz } = input;
    const running = await runningCampaigns(context, quiz);
    await context.api.quizzes.delete(quiz.quiz_id, context.call);
    context.directory.quizzes.remove(quiz);
    await tellCampaigns(context, running, { name: quiz.name, status: 'gone' });
    const result = deleted(input);
    return { ...result, message: `${result.message}${campaignsAfter(running, ending)}` };
  },
});

/** What would be deleted, in the conditional. */
export function deletionInWords(quiz: Pick<Quiz, 'name'>, responses: number, running: RunningCampaigns): string {
  const ended = campaignsBefore(quiz, running, ending);
  return sentences([wouldBeDeleted(named(quiz.name)), ended]);

  function wouldBeDeleted(name: string): string {
    if (responses === 0) return say`${name} would be deleted for good. It has no responses.`;
    return responses === 1
      ? say`${name} would be deleted for good, with its only response.`
      : say`${name} would be deleted for good, with its ${amount(responses)} responses.`;
  }
}

function deleted({ quiz }: { quiz: Quiz }): DoneResult {
  return made(say`Deleted ${named(quiz.name)} and all its responses.`);
}
