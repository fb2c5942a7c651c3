import type { App } from '@slack/bolt';
import { setImmediate as aTurn } from 'node:timers/promises';
import type { OperationRequest, Outcome } from '../../governance/execute.ts';
import { catalog } from '../../operations/catalog.ts';
import { kindOf } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField, type TextInput } from '../../operations/text-input.ts';
import { parseMention } from '../../operations/typed-text.ts';
import { commandAndVerb, commandPattern, parseCommandLine } from '../command-line.ts';
import { channelOf } from '../incoming-text.ts';
import { helpMessage } from '../views/help.ts';
import { textMessage, type Message } from '../views/message.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { sharedChannelQuestion } from '../views/shared-channel.ts';
import { openForm } from './forms.ts';
import type { ListenerContext } from './listener-context.ts';

export function registerCommands(app: App, listenerContext: ListenerContext): void {
  const names = new Set(catalog.map((operation) => commandAndVerb(operation).command));
  for (const name of names) {
    app.command(commandPattern(name, names), async ({ command, ack, client, context }) => {
      await ack();
      await afterAcknowledgements();
      const personId = command.user_id;
      const responseTarget = { responseUrl: command.response_url, replacesOriginal: false };
      const line = parseCommandLine(catalog, name, command.text);
      const channelId = channelOf(command.channel_id);
      if (line.kind === 'unreadable') {
        await listenerContext.answerAt(responseTarget, textMessage('⚠️', line.message));
      } else if (line.kind !== 'operation') {
        await listenerContext.answerAt(responseTarget, await help(listenerContext, name, personId, line.kind === 'unknown' ? line.verb : undefined));
      } else if (wantsForm(line.operation, line.inputs[0], channelId)) {
        await openForm(listenerContext, { client, triggerId: command.trigger_id, personId, teamId: context.teamId ?? command.team_id, channelId, responseTarget }, line.operation, line.inputs[0]);
      } else {
        const request: OperationRequest = { ...line, personId, teamId: context.teamId ?? command.team_id, channelId, through: 'command' };
        await listenerContext.answerAt(responseTarget, (await questionAbout(listenerContext, request)) ?? (await run(listenerContext, request)));
      }
    });
  }
}

/**
 * The question before an operation that involves a channel which other companies read. Its button skips the question; a form
 * does not offer such channels.
 */
async function questionAbout(listenerContext: ListenerContext, { operation, inputs: [raw], channelId, personId }: OperationRequest): Promise<Message | undefined> {
  const field = channelFieldOf(operation);
  if (field === undefined) return undefined;
  const wanted = raw[field]?.[0] === undefined ? channelId : parseMention(raw[field][0])?.id;
  if (wanted === undefined) return undefined;
  try {
    const { refusalOf } = await listenerContext.permissions.of(personId);
    if (refusalOf(operation) !== undefined) return undefined;
    const companies = await listenerContext.findCompanies(wanted);
    return companies.length > 0 ? sharedChannelQuestion(operation, raw, { channelId: wanted, companies }) : undefined;
  } catch {
    // The operation itself meets the same error and explains it.
    return undefined;
  }
}

/** The name of the operation's field for a channel. */
export function channelFieldOf({ fields }: Operation): string | undefined {
  return Object.entries(fields).find(([, { kind }]) => kind === 'channel')?.[0];
}

/** Runs an operation and gives the answer that the person reads. */
export async function run(listenerContext: ListenerContext, request: OperationRequest): Promise<Message> {
  return messageOf(listenerContext, request, await listenerContext.execute(request));
}

/** The answer to a request, by its outcome. */
export function messageOf(listenerContext: ListenerContext, { operation, inputs }: OperationRequest, outcome: Outcome): Message {
  if (outcome.kind === 'incomplete') return textMessage('⚠️', `Something is missing: ${operation.command}`);
  return outcomeMessage(operation, inputs[0], outcome, listenerContext.timeZone);
}

async function help(listenerContext: ListenerContext, command: string, personId: string, unknownVerb: string | undefined): Promise<Message> {
  try {
    const { operations, refusal } = await listenerContext.permissions.of(personId);
    const message = refusal('known');
    if (message !== undefined) return textMessage('🚫', message);
    const own = operations.filter((operation) => commandAndVerb(operation).command === command);
    return helpMessage(command, own, unknownVerb);
  } catch (error) {
    return textMessage('⚠️', listenerContext.logAndExplain(error));
  }
}

/**
 * Whether a form opens: for what is missing or cannot be typed, and before anything that cannot be undone. With a
 * reason, such a command only asks for approval, so it needs no form.
 */
function wantsForm(operation: Operation, raw: TextInput, channelId: string | undefined): boolean {
  const names = Object.entries(operation.fields);
  if (channelFieldOf(operation) !== undefined) return Object.keys(raw).length === 0 && channelId !== undefined;
  const required = names.filter(([name, field]) => !(field.optional || kindOf(field).followsFromPlace) || operation.command.includes(`<${name}>`));
  const lacks = required.some(([name]) => !raw[name]?.some((text) => text !== ''));
  return lacks || operation.command.endsWith('…') || (operation.access === 'destructive' && raw[reasonField] === undefined);
}

/**
 * Resolves when deliveries that arrived at about the same time are acknowledged too; otherwise they would wait until
 * this answer is made. The second turn of the event loop covers deliveries that arrive during the first.
 */
export async function afterAcknowledgements(): Promise<void> {
  await aTurn();
  await aTurn();
}
