import { textOfSent } from './csv-of.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { type TestBed, textOf } from './test-bed.ts';

/** The name of a sample quiz with many responses. */
export const safetyQuiz = 'Workplace safety basics';

interface SubmittedRow {
  response_id: string;
  first_name: string;
  last_name: string;
  email_address: string;
  pass: number;
}

export function quizId({ quizService }: Pick<TestBed, 'quizService'>, name: string): string {
  return (
    quizService.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])?.quiz_id ?? ''
  );
}

export function submittedResponses(testBed: TestBed, name: string): SubmittedRow[] {
  const columns = 'response_id, first_name, last_name, email_address, pass';
  return testBed.quizService.database.all<SubmittedRow>(
    `SELECT ${columns} FROM responses WHERE quiz_id = ? AND status = 'submitted'`,
    [quizId(testBed, name)],
  );
}

export const locationOf = ({ channel, ts }: Message) => ({ channel, ts });

/** The value of an attempt in the picker of results. */
export const pickOf = (quiz: string, response: string) =>
  JSON.stringify(['modal', 'show-attempt', { quiz: [quiz], response: [response] }]);

/** Sends a command, by default `/quiz results`. @returns the reply */
export async function commandReply(
  { workspace }: TestBed,
  personId: string,
  line = `/quiz results ${safetyQuiz}`,
): Promise<Message> {
  const outcome = await workspace.as(personId).command(line);
  return outcome.reply();
}

/** Waits for a file in the person's direct messages. @returns the file and the blocks of its message */
export async function fileSentTo(
  { workspace }: Pick<TestBed, 'workspace'>,
  personId: string,
): Promise<{ name: string; text: string; comment: string }> {
  const message = await workspace.until(() => workspace.directMessages(personId).find(({ files }) => files?.length));
  const [file] = message.files ?? [];
  return { name: file?.name ?? '', text: await textOfSent(file?.url ?? ''), comment: JSON.stringify(message.blocks) };
}

/** The action of the button with a label. */
export function actionIdOf({ blocks }: { blocks?: unknown }, label: string): string {
  const [, actionId] =
    new RegExp(`"action_id":"([^"]+)","text":\\{"type":"plain_text","text":"${label}"`).exec(JSON.stringify(blocks)) ??
    [];
  if (actionId === undefined) throw new Error(`no button “${label}” in ${JSON.stringify(blocks)}`);
  return actionId;
}

/** Submits a form that a command opens. @returns the text of the answer, or the errors of the fields */
export async function submit(
  { workspace }: TestBed,
  personId: string,
  line: string,
  entered: Record<string, string | string[]>,
): Promise<string> {
  const form = await (await workspace.as(personId).command(line)).view();
  const { errors, view } = await confirmed(workspace.as(personId), await workspace.as(personId).submit(form, entered));
  return errors ? JSON.stringify(errors) : textOf(view);
}

type Person = ReturnType<TestBed['workspace']['as']>;

/** The answer to a form, after the box is ticked that a warning shows. */
export async function confirmed(
  person: Person,
  answer: Awaited<ReturnType<Person['submit']>>,
): Promise<Awaited<ReturnType<Person['submit']>>> {
  const box = answer.view?.blocks.find(({ block_id }) => block_id?.startsWith('confirmed '))?.block_id;
  return box ? person.submit(answer.view!, { [box]: ['Do it all the same'] }) : answer;
}

/** Leaves few attempts at a quiz: the bot takes more than a second to read the answers of each. */
export function leaveFewAttempts(testBed: TestBed, quiz: string): void {
  testBed.quizService.database.run(
    'DELETE FROM responses WHERE quiz_id = ?1 AND response_id NOT IN (SELECT response_id FROM responses WHERE quiz_id = ?1 ORDER BY date_submitted LIMIT 8)',
    [quizId(testBed, quiz)],
  );
}
