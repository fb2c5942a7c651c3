import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { showToday } from '../../features/administration/show-today.ts';
import type { OperationRequest } from '../../governance/perform/execution-result.ts';
import { messageKey, type WrittenMessage } from '../connection/deliveries.ts';
import { channelOf } from '../incoming-text.ts';
import { readSaid, type Said, type SaidLine } from '../said-line.ts';
import { isTyped } from '../verbs.ts';
import { suggestedLinesMessage } from '../views/help.ts';
import { textMessage } from '../views/blocks/message.ts';
import { todayMessage } from '../views/today.ts';
import { answerBeside } from './answers.ts';
import { isWhole } from './best-reading.ts';
import { answerLine, messageOf } from './commands.ts';
import type { FormOpening } from './forms.ts';
import { importedFileIn, offerImport } from './imports.ts';
import type { ListenerContext } from './listener-context.ts';
import { lineReadingOf, linesLike } from './suggestions.ts';

/**
 * Answers what people write to the bot, in its direct messages or with a mention: a line as if it was typed, a CSV file with
 * the offer to import it, everything else with what needs them.
 */
export function registerMessages(
  app: App,
  listenerContext: ListenerContext,
  { botUserId, commandPrefix, now }: { botUserId: () => string | undefined; commandPrefix: string; now: () => number },
): void {
  async function answer(written: WrittenMessage, client: WebClient, teamId = '') {
    const { user: personId, channel, thread_ts: threadTs } = written;
    if (personId === undefined || messageKey(written, now()) === undefined) return;
    const opening: FormOpening = {
      client,
      personId,
      teamId,
      channelId: channelOf(channel),
      place: { conversationId: channel, ...(threadTs !== undefined && { threadTs }) },
    };
    try {
      const file = channelOf(channel) === undefined ? importedFileIn(written.files) : undefined;
      if (file) return await offerImport(listenerContext, opening, file);
      await answerSaid(listenerContext, opening, readSaid(written.text ?? '', botUserId(), commandPrefix));
    } catch (error) {
      await answerBeside(listenerContext, opening, textMessage('⚠️', listenerContext.logAndExplain(error)));
    }
  }

  app.event('message', async ({ event, client, context }) => answer(event, client, context.teamId));
  app.event('app_mention', async ({ event, client, context }) => answer(event, client, context.teamId));
}

async function answerSaid(listenerContext: ListenerContext, opening: FormOpening, said: Said): Promise<void> {
  const { personId, teamId, channelId } = opening;
  const line = said.kind === 'command' ? said.line : await likeliestLine(listenerContext, said.lines, opening);
  if (line) return answerLine(listenerContext, line.command, line.text, opening);

  const rest = said.kind === 'lines' ? said.rest : '';
  const { operations } = await listenerContext.permissions.of(personId);
  const like = await linesLike(listenerContext, operations.filter(isTyped), rest, { personId, teamId });
  if (like.length > 0)
    return answerBeside(listenerContext, opening, suggestedLinesMessage(rest.split(/\s/)[0] ?? '', like));

  const request: OperationRequest = {
    operation: showToday,
    inputs: [{}],
    personId,
    teamId,
    channelId,
    through: 'message',
  };
  const outcome = await listenerContext.execute(request);
  const message =
    outcome.kind === 'done' && outcome.result.kind === 'today'
      ? todayMessage(outcome.result, outcome.offered, listenerContext.timeZone, { isReply: true })
      : messageOf(listenerContext, request, outcome);
  await answerBeside(listenerContext, opening, message);
}

/** Of lines for several commands, such as `show kitchen`, the first that makes sense as a whole. */
async function likeliestLine(
  listenerContext: ListenerContext,
  lines: Extract<Said, { kind: 'lines' }>['lines'],
  person: { personId: string; teamId: string },
): Promise<SaidLine | undefined> {
  if (lines.length < 2) return lines[0];
  for (const { operation, ...line } of lines) {
    const reading = await lineReadingOf(listenerContext, operation, line, person);
    if (reading && isWhole(operation, reading)) return line;
  }
  return lines[0];
}
