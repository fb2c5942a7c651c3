import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { setImmediate as aTurn } from 'node:timers/promises';
import { z } from 'zod';
import { asSaid, say } from '../../domain/said.ts';
import type { OperationRequest, ExecutionResult } from '../../governance/perform/execution-result.ts';
import { catalog } from '../../operations/catalog.ts';
import { kindOf } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { leftOverField, reasonField, type TextInput } from '../../operations/text-input.ts';
import { parseMention } from '../../operations/typed-text.ts';
import { commandPattern, parseCommandLine, type CommandLine } from '../command-line.ts';
import { commandAndVerb, isTyped, nearestVerbs } from '../verbs.ts';
import { channelOf } from '../incoming-text.ts';
import { cancelActionId } from '../views/blocks/confirmation.ts';
import { helpMessage, lineActionId, unknownClauseMessage, suggestedLinesMessage } from '../views/help.ts';
import { textMessage, type Message } from '../views/blocks/message.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { othersFirst } from '../form/form.ts';
import { sharedChannelPage } from '../../features/alerts/pages/alerts.ts';
import { drawPage } from '../views/blocks/page.ts';
import { answerBeside, clickedMessage } from './answers.ts';
import { bestReading, isBare, isWhole } from './best-reading.ts';
import { openForm, type FormOpening } from './forms.ts';
import { suggestedLines, thingNamed } from './suggestions.ts';
import type { ListenerContext } from './listener-context.ts';

export function registerCommands(app: App, listenerContext: ListenerContext): void {
  const names = new Set(catalog.map((operation) => commandAndVerb(operation).command));
  for (const name of names) {
    app.command(commandPattern(name, names), async ({ command, ack, client, context }) => {
      await ack();
      await afterAcknowledgements();
      await answerLine(listenerContext, name, command.text, {
        client,
        triggerId: command.trigger_id,
        personId: command.user_id,
        teamId: context.teamId ?? command.team_id,
        channelId: channelOf(command.channel_id, command.channel_name),
        responseTarget: { responseUrl: command.response_url, replacesOriginal: false },
      });
    });
  }

  app.action<BlockAction<ButtonAction>>(
    { type: 'block_actions', action_id: new RegExp(`^${lineActionId}:`) },
    async ({ ack, action, body, client, context }) => {
      await ack();
      const { command, text } = lineSchema.parse(JSON.parse(action.value ?? ''));
      const responseTarget = clickedMessage(body, true);
      if (!names.has(command) || responseTarget === undefined)
        throw new Error(`a button types ${command}, which it cannot`);
      await answerLine(listenerContext, command, text, {
        client,
        triggerId: body.trigger_id,
        personId: body.user.id,
        teamId: context.teamId ?? '',
        channelId: channelOf(body.channel?.id, body.channel?.name),
        responseTarget,
      });
    },
  );

  app.action<BlockAction>({ type: 'block_actions', action_id: cancelActionId }, async ({ ack, body }) => {
    await ack();
    const responseTarget = clickedMessage(body, true);
    if (responseTarget)
      await listenerContext.answerAt(responseTarget, textMessage('👌', say`Cancelled. Nothing has changed.`));
  });
}

/** After this wait for the large results of others, a person reads why. */
const saidAfterMs = 2_000;

const lineSchema = z.object({ command: z.string(), text: z.string() });

/** Answers a typed line, or opens the form for it. The button of a suggested line, and a message, go the same way. */
export async function answerLine(
  listenerContext: ListenerContext,
  command: string,
  text: string,
  opening: FormOpening,
): Promise<void> {
  const { responseTarget, personId, teamId, channelId } = opening;
  const answer = async (message: Message, replacesOriginal = responseTarget?.replacesOriginal) =>
    responseTarget && replacesOriginal
      ? listenerContext.answerAt(responseTarget, message)
      : answerBeside(listenerContext, opening, message);
  const line = parseCommandLine(catalog, command, text);
  if (line.kind === 'unreadable') return answer(textMessage('⚠️', line.message));
  if (line.kind !== 'operation') return answer(await help(listenerContext, command, opening, line));
  const { operation } = line;
  const isComplete = (input: TextInput) => !wantsForm(operation, input, channelId);
  const complete = line.inputs.filter(isComplete);
  const rivals = line.rivals.filter(isComplete);
  const [first, ...others] =
    complete.length > 0 ? complete : rivals.length > 0 ? line.inputs : await rescued(listenerContext, line, opening);
  const readings: [TextInput, ...TextInput[]] = [...line.inputs, ...line.rescues, ...line.rivals];
  if (first === undefined || line.isGuess) return openForm(listenerContext, opening, operation, readings);

  const through = opening.place ? 'message' : responseTarget?.replacesOriginal ? 'choice' : 'command';
  let isOver = false;
  const onQueued = () => {
    listenerContext
      .sleep(saidAfterMs)
      .then(async () => (isOver ? undefined : answer(textMessage('⏳', othersFirst), false)))
      .catch((error: unknown) => void listenerContext.logAndExplain(error));
  };
  const inputs: OperationRequest['inputs'] = [first, ...others];
  const request: OperationRequest = {
    operation,
    inputs,
    rescues: line.rescues,
    rivals,
    personId,
    teamId,
    channelId,
    through,
    onQueued,
  };
  const question = await questionAbout(listenerContext, request);
  if (question) return answer(question);
  const outcome = await listenerContext.execute(request);
  isOver = true;
  const isLoose = line.isLoose || first !== line.inputs[0];
  if ((isLoose && isUnread(outcome)) || (rivals.length > 0 && outcome.kind === 'incomplete'))
    return openForm(listenerContext, opening, operation, readings);
  // A button stays for another try.
  const message = messageOf(listenerContext, request, outcome);
  await (outcome.kind === 'failed' ? answer(message, false) : answer(message));
}

/**
 * The question before an operation that involves a channel which other companies read. Its button skips the question; a form
 * does not offer such channels.
 */
async function questionAbout(
  listenerContext: ListenerContext,
  { operation, inputs: [raw], channelId, personId }: OperationRequest,
): Promise<Message | undefined> {
  const wanted = channelIn(operation, raw, channelId);
  if (wanted === undefined) return undefined;
  try {
    const { refusalOf } = await listenerContext.permissions.of(personId);
    if (refusalOf(operation) !== undefined) return undefined;
    const companies = await listenerContext.findCompanies(wanted);
    const page = sharedChannelPage(operation, raw, { channelId: wanted, companies });
    return companies.length > 0 ? drawPage(page, listenerContext) : undefined;
  } catch {
    // The operation itself meets the same error and explains it.
    return undefined;
  }
}

/** The channel that the operation would post in. A board is in no channel unless one is named. */
export function channelIn(operation: Operation, raw: TextInput, channelId: string | undefined): string | undefined {
  const board = Object.entries(operation.fields).find(([, { kind }]) => kind === 'board')?.[0];
  const field = board ?? channelFieldOf(operation);
  const text = field === undefined ? undefined : raw[field]?.[0];
  if (field === undefined || (board !== undefined && text === undefined)) return undefined;
  return text === undefined || text.toLowerCase() === 'here' ? channelId : parseMention(text)?.id;
}

/** The name of the operation's field for a channel. */
function channelFieldOf({ fields }: Operation): string | undefined {
  return Object.entries(fields).find(([, { kind }]) => kind === 'channel')?.[0];
}

/** Runs an operation and gives the answer that the person reads. */
export async function run(listenerContext: ListenerContext, request: OperationRequest): Promise<Message> {
  return messageOf(listenerContext, request, await listenerContext.execute(request));
}

/** The answer to a request, by its outcome. */
export function messageOf(
  listenerContext: ListenerContext,
  { operation, inputs }: OperationRequest,
  outcome: ExecutionResult,
): Message {
  if (outcome.kind === 'incomplete')
    return textMessage('⚠️', say`Something’s missing. Type it like ${operation.command}`);
  if (outcome.kind === 'invalid' && 'clause' in outcome && outcome.clause && !outcome.clause.isExplained)
    return unknownClauseMessage(outcome.clause);
  return outcomeMessage(operation, inputs[0], outcome, listenerContext.timeZone);
}

/** The reading of a line that makes sense of all of it, where the likelier ones lack something. */
async function rescued(
  listenerContext: ListenerContext,
  { operation, rescues }: Extract<CommandLine, { kind: 'operation' }>,
  { personId, teamId, channelId }: FormOpening,
): Promise<TextInput[]> {
  if (rescues.length === 0) return [];
  const best = await bestReading(listenerContext, operation, rescues, { personId, teamId });
  return isWhole(operation, best) && !wantsForm(operation, best.input, channelId) ? [best.input] : [];
}

/** Whether a line in which words are missing makes no sense, and nothing resembles what was typed. */
function isUnread(outcome: ExecutionResult): boolean {
  return (
    (outcome.kind === 'invalid' && !('clause' in outcome) && !('isUnderstood' in outcome)) ||
    (outcome.kind === 'unclear' && outcome.candidates.length === 0)
  );
}

async function help(
  listenerContext: ListenerContext,
  command: string,
  person: { personId: string; teamId: string },
  line: Extract<CommandLine, { kind: 'help' | 'unknown' }>,
): Promise<Message> {
  try {
    const { operations, refusal } = await listenerContext.permissions.of(person.personId);
    const message = refusal('known');
    if (message !== undefined) return textMessage('🚫', message);
    const own = operations.filter((operation) => isTyped(operation) && commandAndVerb(operation).command === command);
    if (line.kind === 'help') return helpMessage(command, own, { isWhole: line.isWhole });
    const meant = nearestVerbs(operations, command, line.verb);
    const lines =
      meant.length > 0
        ? await suggestedLines(listenerContext, meant, line.rest, person)
        : await thingNamed(listenerContext, own, `${line.verb} ${line.rest}`.trim(), person);
    return lines.length > 0
      ? suggestedLinesMessage(say`${asSaid(command)} ${line.verb}`, lines)
      : helpMessage(command, own, { isWhole: false, unknownVerb: line.verb });
  } catch (error) {
    return textMessage('⚠️', listenerContext.logAndExplain(error));
  }
}

/**
 * Whether a form opens: for what is missing or cannot be typed, for a change of which nothing is said, for words that no field takes, and before anything that cannot be undone. With a
 * reason, such a command only asks for approval, so it needs no form.
 */
function wantsForm(operation: Operation, raw: TextInput, channelId: string | undefined): boolean {
  if (raw[leftOverField] !== undefined) return true;
  const names = Object.entries(operation.fields);
  if (channelFieldOf(operation) !== undefined) return Object.keys(raw).length === 0 && channelId !== undefined;
  const required = names.filter(
    ([name, field]) => !(field.optional || kindOf(field).followsFromPlace) || operation.command.includes(`<${name}>`),
  );
  const lacks = required.some(([name]) => !raw[name]?.some((text) => text !== ''));
  const changesNothing =
    operation.present !== undefined &&
    names.every(([name]) => raw[name] === undefined || operation.command.includes(`<${name}>`));
  return (
    lacks ||
    isBare(operation, raw) ||
    changesNothing ||
    operation.command.endsWith('…') ||
    (operation.access === 'destructive' && raw[reasonField] === undefined)
  );
}

/**
 * Resolves when deliveries that arrived at about the same time are acknowledged too; otherwise they would wait until
 * this answer is made. The second turn of the event loop covers deliveries that arrive during the first.
 */
async function afterAcknowledgements(): Promise<void> {
  await aTurn();
  await aTurn();
}
