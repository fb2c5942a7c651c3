import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { say } from '../../domain/said.ts';
import { textMessage, type Message } from '../views/blocks/message.ts';
import { passwordListView, passwordSorryMessage, passwordView, passwordWaitingView } from '../views/users/password.ts';
import type { Delivery } from './delivery.ts';
import type { Parts, Reply } from './reply.ts';

const notOpened = say`Slack didn’t open the window. Nothing has changed yet.`;
const notShown = say`The new password could not be shown, so nobody knows it. Press the button to set another one.`;

/** **Show password** sets a new one, and shows it. */
export async function showPassword(parts: Parts, { pressed }: Delivery, reply: Reply): Promise<void> {
  const { personId, teamId } = reply;
  const userId = pressed?.value ?? '';
  await showSecret(
    parts,
    reply,
    (sentence) => passwordSorryMessage(userId, sentence),
    async () => {
      const shown = await parts.passwords.show({ teamId, personId, userId });
      return { view: passwordView(shown), sorry: shown.kind === 'shown' ? notShown : shown.message };
    },
  );
}

const printedSchema = z.object({ batch: z.string(), after: z.number().int() });
const listNotShown = say`The new passwords could not be shown, so nobody knows them. \`/quiz-user reset-password\` sets others.`;

/** Sets passwords for a page of new users, and shows them to be printed. */
export async function printPasswords(parts: Parts, { pressed }: Delivery, reply: Reply): Promise<void> {
  const { personId, teamId } = reply;
  const { batch: batchId, after } = printedSchema.parse(JSON.parse(pressed?.value ?? ''));
  await showSecret(
    parts,
    reply,
    (sentence) => textMessage('⚠️', sentence),
    async () => {
      const list = await parts.passwords.showList({ teamId, personId, batchId, after });
      return { view: passwordListView(batchId, list), sorry: list.kind === 'list' ? listNotShown : list.message };
    },
  );
}

/**
 * Opens a modal before anything is set: if it does not open, nothing has changed. A modal that contains the button shows the
 * secret itself.
 *
 * @param make.sorry what a person reads to whom the modal cannot be shown
 */
async function showSecret(
  { logAndExplain }: Parts,
  reply: Reply,
  instead: (sentence: string) => Message,
  make: () => Promise<{ view: ModalView; sorry: string }>,
): Promise<void> {
  const viewId = await reply.wait(passwordWaitingView()).catch((error: unknown) => void logAndExplain(error));
  if (viewId === undefined) return reply.show(instead(notOpened));
  const { view, sorry } = await make();
  const closed = instead(sorry);
  await reply.update(viewId, view, { closed }).catch(async (error: unknown) => {
    logAndExplain(error);
    await reply.show(closed);
  });
}
