import { nameOrId, respondentName } from '../../domain/record-names.ts';
import { say, named, phraseList } from '../../domain/said.ts';
import { buffer } from 'node:stream/consumers';
import { plainName } from '../../directory/names.ts';
import type { DownloadedFile } from '../../quiz-api/download.ts';
import { failedFor, isNotFound } from '../../quiz-api/errors.ts';
import type { Question, QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { OutgoingFile } from '../../operations/services/files.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { defineOperation } from '../../operations/operation.ts';
import { findAttempt, quizField, responseField } from './attempt.ts';

export const sendFiles = defineOperation({
  name: 'send-files',
  command: '/quiz files <quiz> of <response>',
  summary: 'Get the files someone uploaded in an attempt, in a direct message',
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'Send files',
  fields: {
    quiz: quizField,
    response: responseField,
    file: {
      kind: 'text',
      label: 'File',
      hint: 'Its name. Leave it empty for all files.',
      maxLength: 250,
      optional: true,
    },
  },
  async run(context, { quiz, response: typed, file }) {
    const response = await findAttempt(context, quiz, typed);
    const files = wantedFiles(
      await context.api.responses.questions(quiz.quiz_id, response.response_id, context.call),
      file,
    );
    const sent: string[] = [];
    const problems: string[] = [];
    for (const one of files) {
      const problem = await sendUploadedFile(context, response, one);
      if (problem === undefined) sent.push(named(one.name));
      else problems.push(problem);
    }
    if (sent.length === 0) throw new InvalidInputError('file', problems.join(' '));
    return {
      kind: 'done',
      message: say`Sent you ${phraseList(sent)} from ${named(respondentName(response))} in a direct message.`,
      problems,
    };
  },
});

type UploadedFile = Question['files'][number];

/** All files of an attempt, or the file with this id or name. */
function wantedFiles(questions: readonly Question[], wanted: string | undefined): UploadedFile[] {
  const files = questions.flatMap((question) => question.files);
  const matches = ({ file_id, name }: UploadedFile) =>
    wanted === undefined || file_id === wanted || plainName(name) === plainName(wanted);
  const found = files.filter(matches);
  if (found.length > 0) return found;
  throw new InvalidInputError(
    'file',
    files.length === 0
      ? say`This attempt has no uploaded files.`
      : say`This attempt has no file called ${named(wanted ?? '')}.`,
  );
}

const mostMebibytes = 25;
/** Added to the deadline: a file takes longer than other answers. */
const transferMs = 60_000;

/** Sends the person a file that a respondent uploaded. @returns why it cannot be sent, or undefined once it is */
async function sendUploadedFile(
  context: OperationContext,
  response: QuizResponse,
  file: UploadedFile,
): Promise<string | undefined> {
  const { quiz_id, response_id } = response;
  const { deadline } = context.call;
  try {
    const download = await context.api.responses.file(quiz_id, response_id, file.file_id, {
      ...context.call,
      deadline: deadline === undefined ? undefined : deadline + transferMs,
      maxBytes: mostMebibytes * 1024 * 1024,
    });
    const content = await contentOf(download);
    if (content === undefined) return say`${named(file.name)} is empty.`;
    await context.sendFile({
      name: file.name || 'upload',
      comment: say`Uploaded by ${respondentName(response)} for “${nameOrId('quiz', response.quiz_name, response.quiz_id)}”`,
      content,
    });
    return undefined;
  } catch (error) {
    if (failedFor(error, 'file too large'))
      return say`${named(file.name)} is larger than ${mostMebibytes} MB. Download it from the quiz service.`;
    if (isNotFound(error)) return say`${named(file.name)} is no longer in the quiz service.`;
    throw error;
  }
}

/** The length of a file has to be known before it is sent. */
async function contentOf({ stream, contentLength }: DownloadedFile): Promise<OutgoingFile['content'] | undefined> {
  if (contentLength !== null && contentLength > 0) return { stream, length: contentLength };
  const whole = await buffer(stream);
  return whole.length === 0 ? undefined : whole;
}
