import type { App } from '@slack/bolt';
import type { RawInput } from '../../governance/read-input.ts';
import { catalog } from '../../operations/catalog.ts';
import type { Operation } from '../../operations/operation.ts';
import { commandAndVerb, parseCommandLine } from '../command-line.ts';
import type { Message } from '../views/message.ts';
import { helpMessage } from '../views/help.ts';
import { outcomeMessage, sentenceMessage } from '../views/outcome.ts';
import type { Desk } from './desk.ts';
import { openForm } from './forms.ts';

export function registerCommands(app: App, desk: Desk): void {
  for (const name of new Set(catalog.map((operation) => commandAndVerb(operation).command))) {
    app.command(name, async ({ command, ack, respond, client }) => {
      await ack();
      const slackId = command.user_id;
      const line = parseCommandLine(catalog, name, command.text);
      if (line.kind !== 'operation') {
        await respond(await help(desk, name, slackId, line.kind === 'unknown' ? line.verb : undefined));
      } else if (lacksInput(line.operation, line.raw)) {
        await openForm(desk, { client, triggerId: command.trigger_id, slackId }, line.operation);
      } else {
        await respond(await run(desk, line.operation, line.raw, slackId, 'command'));
      }
    });
  }
}

/** Runs the operation and gives what the person reads. */
export async function run(
  desk: Desk,
  operation: Operation,
  raw: RawInput,
  slackId: string,
  through: 'command' | 'choice',
): Promise<Message> {
  const outcome = await desk.execute({ operation, raw, slackId, through });
  if (outcome.kind === 'incomplete') return sentenceMessage('⚠️', `Something is missing: ${operation.command}`);
  return outcomeMessage(operation, raw, outcome, desk.timeZone);
}

async function help(desk: Desk, command: string, slackId: string, unknownVerb: string | undefined): Promise<Message> {
  try {
    const { operations, sentence } = await desk.permissions.offers(slackId);
    if (sentence !== undefined) return sentenceMessage('🚫', sentence);
    const own = operations.filter((operation) => commandAndVerb(operation).command === command);
    return helpMessage(command, own, unknownVerb);
  } catch (error) {
    return sentenceMessage('⚠️', desk.report(error));
  }
}

function lacksInput(operation: Operation, raw: RawInput): boolean {
  return Object.entries(operation.fields).some(([name, field]) => !field.optional && (raw[name] ?? '') === '');
}
