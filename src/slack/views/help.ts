import { type Message, section, sections, plain, buttonRow } from './blocks/message.ts';
import { formStep, runStep, type Page } from '../../operations/page.ts';
import { showToday } from '../../features/administration/today-facts.ts';
import { excuseFromCampaign } from '../../features/campaigns/operations/excuse-and-include.ts';
import { startCampaign } from '../../features/campaigns/operations/start-campaign.ts';
import { listGroups } from '../../features/groups/groups.ts';
import { assignQuiz } from '../../features/quizzes/assign-and-unassign.ts';
import { showResults } from '../../features/results/show-results.ts';
import { createUser } from '../../features/users/create-user.ts';
import { suspendUser } from '../../features/users/state.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { capitalized, shortName, asSaid, joinSaid, listed, marked, say } from '../../domain/said.ts';
import { drawPage } from './blocks/page.ts';
import type { Button, ConfirmationDialog, ModalView } from '@slack/types';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';

/** The action ID of the button that opens the list of commands. */
export const commandsActionId = 'show-commands';

/** The action id of every button that types a line begins with this. */
export const lineActionId = 'line';

/** Slack's limits for a button. */
const longestValue = 2_000;
const longestText = 75;
/** The longest part of a typed line in a sentence. */
const longestRest = 100;

/** With this many commands or fewer, the help shows all at once. */
const shownTogether = 7;

/**
 * What a person can type after a command: first what people do most, and with `isWhole` everything.
 * @param how.unknownVerb what the person typed instead
 */
export function helpMessage(
  command: string,
  operations: readonly Operation[],
  how: { isWhole: boolean; unknownVerb?: string },
): Message {
  const isShort = operations.length <= shownTogether;
  const { first = [], more = [] } = Object.groupBy(operations, ({ isCommon }) =>
    isShort || isCommon ? 'first' : 'more',
  );
  const heading =
    how.unknownVerb === undefined
      ? say`*What you can do with \`${asSaid(command)}\`*`
      : say`There’s no \`${inCode(say`${asSaid(command)} ${how.unknownVerb}`)}\`. Here’s what you can do:`;
  const showAll =
    more.length === 0 || how.isWhole
      ? []
      : lineButton('all', say`Show all ${operations.length} commands`, command, 'help all');
  return withButtons(showAll, {
    heading,
    parts: [
      { lines: commandLines(first) },
      ...(how.isWhole && more.length > 0 ? [{ lines: [say`*More*`] }, { lines: commandLines(more) }] : []),
    ],
    notes: [say`Type part of a name, or leave it out to choose it in a form. [Brackets] are optional.`],
  });
}

/** What the bot is for, to who asks it in a message: the five things that people do most, as buttons. */
export function shortHelpPage(): Page {
  return {
    heading: say`I run the quiz account from here. Write what you want, such as \`results of food hygiene\`: I ask before I change anything. Slash commands, such as \`/quiz close food hygiene\`, run at once.`,
    steps: [
      runStep(say`Today`, showToday, {}),
      formStep(say`Assign a quiz…`, assignQuiz, {}),
      formStep(say`Create a user…`, createUser, {}),
      formStep(say`Start a campaign…`, startCampaign, {}),
      formStep(say`Results…`, showResults, {}),
    ],
    notes: [say`Every command: \`/quiz help\`, \`/quiz-user help\`, \`/quiz-campaign help\``],
  };
}

/** Says who makes groups, to who asks the bot for it. */
export function groupsInServicePage(): Page {
  return {
    heading: say`Groups are created, renamed and deleted in the quiz service. New ones appear here on their own.`,
    steps: [runStep(say`List groups`, listGroups, {})],
  };
}

/** Says that a message is not understood, before what needs the person. */
export function notUnderstood(text: string, today: Message): Message {
  const sentence = say`I don’t understand “${shortName(mentionsInWords(text), longestRest)}”.`;
  return { ...today, text: joinSaid([sentence, today.text], ' '), blocks: [section(sentence), ...today.blocks] };
}

/**
 * What can be done about somebody who has left.
 * @param suspending such as “suspend ⁨Rosa⁩”
 * @param isDone says that they are suspended already; undefined where they aren’t
 */
export function leaverPage(suspending: string, user: readonly string[], isDone?: string): Page {
  return {
    heading: isDone ?? say`Nothing has changed yet. Press the button to ${suspending}.`,
    steps: [
      ...(isDone === undefined ? [runStep(capitalized(suspending), suspendUser, { user })] : []),
      formStep(say`Excuse from campaigns…`, excuseFromCampaign, { people: user }),
    ],
  };
}

/** The modal that the Home tab's button opens: what the person can type in any conversation. */
export function commandsView(operations: readonly Operation[]): ModalView {
  return {
    type: 'modal',
    title: plain(say`Commands`),
    close: plain(say`Close`),
    blocks: [section(say`You can type these in any conversation:`), ...sections(commandLines(operations))],
  };
}

/** Operations as people type them, with what they do. */
function commandLines(operations: readonly Operation[]): string[] {
  return operations.map((operation) => say`\`${typedCommand(operation)}\`: ${asSaid(operation.summary)}`);
}

/** A command with what people type in place of the names of its fields, in their language. */
export function typedCommand({ command, fields }: Pick<Operation, 'command' | 'fields'>): string {
  const line = command.replace(/ …$/, '').replaceAll(/([<[])(\w+)(?=[>\]])/g, (_, bracket: string, field: string) => {
    const typed = typedFor[fields[field]?.kind === 'user' ? 'user' : field];
    return bracket + (typed === undefined ? field : marked('part', typed));
  });
  return marked('sentence', line);
}

const typedFor: Readonly<Record<string, string>> = {
  to: say`people or groups`,
  people: say`people`,
  user: say`user`,
  user_name: say`e-mail address`,
  first_name: say`first name`,
  last_name: say`last name`,
  response: say`person`,
  campaign: say`quiz`,
  quiz: say`quiz`,
  group: say`group`,
  groups: say`groups`,
  name: say`name`,
  reason: say`reason`,
  language: say`language`,
  time: say`time`,
  filter: say`filter`,
  subscription: say`subscription`,
};

/**
 * A line that a button types: `text` follows the command, in Slack’s markup; `shown` is the whole line in words, in which what
 * the person typed is marked as from outside.
 */
export interface SuggestedLine {
  command: string;
  text: string;
  shown: string;
  /** What the line changes, as a sentence without a period: “Suspend ⁨Rosa Almeida⁩”. The person confirms it. */
  change?: string;
}

/**
 * Offers the lines that a person may have meant, as buttons that run them like typed lines. A button that changes something
 * says what, and asks first.
 * @param typed the command and the verb that does not exist
 */
export function suggestedLinesMessage(
  typed: string,
  lines: readonly SuggestedLine[],
  { isKnown = false } = {},
): Message {
  const shownLines = listed(
    lines.map(({ shown }) => say`\`${inCode(shown)}\``),
    'disjunction',
  );
  const question = isKnown
    ? say`\`${inCode(typed)}\` can’t do all of that. Did you mean ${shownLines}?`
    : say`There’s no \`${inCode(typed)}\`. Did you mean ${shownLines}?`;
  const buttons = lines.flatMap(({ command, text, shown, change }, index) =>
    lineButton(
      String(index),
      change === undefined ? say`Run ${shortName(shown, longestText - 'Run '.length)}` : change,
      command,
      text,
    ).map((button): Button => (change === undefined ? button : { ...button, confirm: confirmDialog(change, shown) })),
  );
  return withButtons(buttons, { heading: question });
}

/** Offers the form of an operation, with what is known of its input. */
export function formOfferPage(operation: Operation, raw: TextInput): Page {
  return {
    heading: say`📝 I need a bit more for \`${asSaid(operation.command.split(' ').slice(0, 2).join(' '))}\`.`,
    steps: [{ ...formStep(say`Open form`, operation, raw), style: 'primary' }],
  };
}

/** Names the part of a line that makes no sense, and how to type it. */
export function unknownClause({ typed, example }: { typed: string; example: string }): string {
  return say`I don’t know “${shortName(typed, longestRest)}”. Try \`${example}\`.`;
}

/** Slack’s own question before a button does something. */
function confirmDialog(change: string, shown: string): ConfirmationDialog {
  return {
    title: plain(say`${change}?`),
    text: plain(say`This runs ${shortName(shown, longestRest)}.`),
    confirm: plain(say`Yes`),
    deny: plain(say`No`),
  };
}

/** Empty if the line is longer than Slack allows for a value. */
function lineButton(name: string, text: string, command: string, line: string): Button[] {
  const value = JSON.stringify({ command, text: line });
  return value.length > longestValue
    ? []
    : [{ type: 'button', action_id: `${lineActionId}:${name}`, text: plain(asSaid(text)), value }];
}

function withButtons(buttons: Button[], page: Page): Message {
  const drawn = drawPage(page, { isWhole: true });
  return { ...drawn, blocks: [...drawn.blocks, ...buttonRow(buttons)] };
}

/** A typed line on one line, without the marks that end code. What came from outside in it is marked. */
function inCode(text: string): string {
  const line = shortName(text.replaceAll('`', "'"), longestRest);
  return line.startsWith('/') ? asSaid(line) : line;
}
