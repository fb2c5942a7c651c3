import type { App } from '@slack/bolt';
import type { Outcome, Request } from '../../governance/execute.ts';
import { followsFromPlace, isDirectMessage, type RawInput } from '../../governance/resolve-input.ts';
import { catalog } from '../../operations/catalog.ts';
import { reasonField, type Operation } from '../../operations/operation.ts';
import { afterAcknowledgements } from '../after-acknowledgements.ts';
import { commandAndVerb, parseCommandLine } from '../command-line.ts';
import { helpMessage } from '../views/help.ts';
import type { Message } from '../views/message.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { sentenceMessage } from '../views/sentence.ts';
import type { Desk } from './listener-context.ts';
import { openForm } from './forms.ts';

export function registerCommands(app: App, desk: Desk): void {
  for (const name of new Set(catalog.map((operation) => commandAndVerb(operation).command))) {
    app.command(name, async ({ command, ack, client, context }) => {
      await ack();
      await afterAcknowledgements();
      const slackId = command.user_id;
      const place = { responseUrl: command.response_url, replacesOriginal: false };
      const line = parseCommandLine(catalog, name, command.text);
      const channelId = command.channel_id;
      if (line.kind === 'unreadable') {
        await desk.answerAt(place, sentenceMessage('⚠️', line.sentence));
      } else if (line.kind !== 'operation') {
        await desk.answerAt(place, await help(desk, name, slackId, line.kind === 'unknown' ? line.verb : undefined));
      } else if (wantsForm(line.operation, line.raws[0], channelId)) {
        await openForm(desk, { client, triggerId: command.trigger_id, slackId, teamId: context.teamId ?? command.team_id, channelId, place }, line.operation, line.raws[0]);
      } else {
        await desk.answerAt(place, await run(desk, { ...line, slackId, teamId: context.teamId ?? command.team_id, channelId, through: 'command' }));
      }
    });
  }
}

/** Runs an operation and gives what the person reads. */
export async function run(desk: Desk, request: Request): Promise<Message> {
  return messageOf(desk, request, await desk.execute(request));
}

/** What the person reads of what became of a request. */
export function messageOf(desk: Desk, { operation, raws }: Request, outcome: Outcome): Message {
  if (outcome.kind === 'incomplete') return sentenceMessage('⚠️', `Something is missing: ${operation.command}`);
  return outcomeMessage(operation, raws[0], outcome, desk.timeZone);
}

async function help(desk: Desk, command: string, slackId: string, unknownVerb: string | undefined): Promise<Message> {
  try {
    const { operations, refusal } = await desk.permissions.of(slackId);
    const sentence = refusal('known');
    if (sentence !== undefined) return sentenceMessage('🚫', sentence);
    const own = operations.filter((operation) => commandAndVerb(operation).command === command);
    return helpMessage(command, own, unknownVerb);
  } catch (error) {
    return sentenceMessage('⚠️', desk.report(error));
  }
}

/** A form asks for what is missing or cannot be typed, and before anything that cannot be undone; with a reason, that only asks somebody else. */
function wantsForm(operation: Operation, raw: RawInput, channelId: string): boolean {
  const names = Object.entries(operation.fields);
  if (names.some(([, { kind }]) => kind === 'channel')) return Object.keys(raw).length === 0 && !isDirectMessage(channelId);
  const required = names.filter(([name, field]) => !(field.optional || followsFromPlace(field)) || operation.command.includes(`<${name}>`));
  const lacks = required.some(([name]) => !raw[name]?.some((text) => text !== ''));
  return lacks || operation.command.endsWith('…') || (operation.access === 'destructive' && raw[reasonField] === undefined);
}
