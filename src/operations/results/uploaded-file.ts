import { buffer } from 'node:stream/consumers';
import type { DownloadedFile } from '../../quiz-api/download.ts';
import { FileTooLargeError, NotFoundError } from '../../quiz-api/errors.ts';
import type { Question, QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../operation.ts';
import type { OutgoingFile } from '../outgoing-file.ts';
import { respondentName } from '../../domain/short-name.ts';

export type UploadedFile = Question['files'][number];

const mostMebibytes = 25;
/** A file may take longer than the usual answer. */
const transferMs = 60_000;

/** Sends the person a file that a respondent uploaded. @returns why it cannot be sent, where it cannot */
export async function sendUploadedFile(context: OperationContext, response: QuizResponse, file: UploadedFile): Promise<string | undefined> {
  const { quiz_id, response_id } = response;
  const { deadline } = context.call;
  try {
    const download = await context.api.responses.file(quiz_id, response_id, file.file_id, {
      ...context.call,
      deadline: deadline === undefined ? undefined : deadline + transferMs,
      maxBytes: mostMebibytes * 1024 * 1024,
    });
    const content = await contentOf(download);
    if (content === undefined) return `“${file.name}” is empty.`;
    await context.sendFile({ name: file.name || 'upload', comment: `Uploaded by ${respondentName(response)} for “${response.quiz_name}”`, content });
    return undefined;
  } catch (error) {
    if (error instanceof FileTooLargeError) return `“${file.name}” is larger than ${mostMebibytes} MB. Download it in the quiz service.`;
    if (error instanceof NotFoundError) return `“${file.name}” is not there any more.`;
    throw error;
  }
}

/** Whoever receives a file wants to know its length first. */
async function contentOf({ stream, contentLength }: DownloadedFile): Promise<OutgoingFile['content'] | undefined> {
  if (contentLength !== null && contentLength > 0) return { stream, length: contentLength };
  const whole = await buffer(stream);
  return whole.length === 0 ? undefined : whole;
}
