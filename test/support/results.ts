import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { textOf, type House } from './house.ts';

export const safety = 'Workplace safety basics';
export const onboarding = 'Onboarding, week 1';

export interface SubmittedRow {
  response_id: string;
  first_name: string;
  last_name: string;
  email_address: string;
  pass: number;
}

export function quizId({ quizService }: House, name: string): string {
  return quizService.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])?.quiz_id ?? '';
}

export function submitted(house: House, name: string): SubmittedRow[] {
  const columns = 'response_id, first_name, last_name, email_address, pass';
  return house.quizService.database.all<SubmittedRow>(`SELECT ${columns} FROM responses WHERE quiz_id = ? AND status = 'submitted'`, [quizId(house, name)]);
}

/** The attempt in which Rosa uploaded a file. */
export function uploadedIn({ quizService }: House): string {
  return quizService.database.get<{ response_id: string }>('SELECT response_id FROM files')?.response_id ?? '';
}

export const where = ({ channel, ts }: Message) => ({ channel, ts });
export const actionIds = (shown: { blocks?: readonly unknown[] }) => [...JSON.stringify(shown.blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id);
export const typesOf = (message: Message) => message.blocks?.map(({ type }) => type) ?? [];

export async function ask({ workspace }: House, slackId: string, line = `/quiz results ${safety}`): Promise<Message> {
  const outcome = await workspace.as(slackId).command(line);
  return outcome.reply();
}

export async function openAttempt(house: House, slackId: string, quiz: string, responseId: string): Promise<View> {
  const message = await ask(house, slackId, `/quiz results ${quiz}`);
  await house.workspace.as(slackId).click(where(message), 'attempt', responseId);
  return house.workspace.until(() => house.workspace.views(slackId).find((view) => textOf(view).includes(responseId)));
}

export async function fileSentTo({ workspace }: House, slackId: string): Promise<{ name: string; text: string; comment: string }> {
  const message = await workspace.until(() => workspace.directMessages(slackId).find(({ files }) => files?.length));
  const [file] = message.files ?? [];
  const bytes = await (await fetch(file?.url ?? '')).arrayBuffer();
  return { name: file?.name ?? '', text: Buffer.from(bytes).toString(), comment: message.text };
}
