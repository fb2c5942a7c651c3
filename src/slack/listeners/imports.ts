import type { App, MessageShortcut } from '@slack/bolt';
import { z } from 'zod';
import type { FileReference } from '../../operations/services/files.ts';
import { formatFile } from '../../operations/fields/file.ts';
import { importUsers } from '../../features/imports/import-users.ts';
import { importOfferMessage } from '../views/batches/import-plan.ts';
import { textMessage } from '../views/blocks/message.ts';
import { answerBeside, type Origin } from './answers.ts';
import { openForm } from './forms.ts';
import type { ListenerContext } from './listener-context.ts';
import { say } from '../../domain/said.ts';

const fileSchema = z.object({ id: z.string(), name: z.string().nullish(), filetype: z.string().nullish() });
const filesSchema = z.array(z.unknown()).catch([]);

const noList = say`There’s no CSV file in this message. Use the shortcut on a message with one, or type \`/quiz-user import\` and upload it.`;

/** Opens the form of the import with the CSV file of a message. */
export function registerImports(app: App, listenerContext: ListenerContext): void {
  app.shortcut<MessageShortcut>(
    { type: 'message_action', callback_id: 'import-message' },
    async ({ ack, shortcut, client, context }) => {
      await ack();
      const responseTarget = { responseUrl: shortcut.response_url, replacesOriginal: false };
      const opening = {
        client,
        triggerId: shortcut.trigger_id,
        personId: shortcut.user.id,
        teamId: context.teamId ?? '',
        responseTarget,
      };
      const file = importedFileIn(shortcut.message['files']);
      if (file === undefined) return answerBeside(listenerContext, opening, textMessage('⚠️', noList));
      await openForm(listenerContext, opening, importUsers, { file: [formatFile(file)] });
    },
  );
}

/** Offers to import a file that a person sent to the bot, where they may. */
export async function offerImport(
  listenerContext: ListenerContext,
  origin: Origin,
  file: FileReference,
): Promise<void> {
  const { refusalOf } = await listenerContext.permissions.of(origin.personId);
  const refusal = refusalOf(importUsers);
  const message = refusal === undefined ? importOfferMessage(file) : textMessage('🚫', refusal);
  await answerBeside(listenerContext, origin, message);
}

/** The first file that is a list by its type or its name; Slack takes some CSV files for plain text. */
export function importedFileIn(files: unknown): FileReference | undefined {
  for (const written of filesSchema.parse(files)) {
    const { data: file } = fileSchema.safeParse(written);
    const extension = /\.(\w+)$/.exec(file?.name ?? '')?.[1]?.toLowerCase() ?? file?.filetype ?? '';
    if (file && importExtensions.has(extension)) return { id: file.id, name: file.name ?? '' };
  }
  return undefined;
}

const importExtensions: ReadonlySet<string> = new Set(['csv', 'tsv', 'txt']);
