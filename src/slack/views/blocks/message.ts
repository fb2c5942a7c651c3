import type {
  KnownBlock,
  ContextBlock,
  MrkdwnElement,
  PlainTextElement,
  SectionBlock,
  ActionsBlock,
  Button,
  Overflow,
  PlainTextOption,
  ActionsBlockElement,
} from '@slack/types';
import {
  isolated,
  withoutIsolates,
  lengthInAnyLanguage,
  say,
  isSaid,
  joinSaid,
  shortName,
  asSaid,
} from '../../../domain/said.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import type { DoneResult, Step } from '../../../operations/page.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';

/** `verbatim` keeps Slack from making links and mentions of what only looks like one. */
export function mrkdwnElement(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Text without any markup. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

/** Slack's limit for a section's text, in characters as they are sent. */
const sectionLimit = 3_000;

export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwnElement(text) };
}

/** Lines in as few sections as they fit in. */
export function sections(lines: readonly string[]): SectionBlock[] {
  return sectionTexts(lines).map(section);
}

/** The texts of these sections. */
function sectionTexts(lines: readonly string[]): string[] {
  const pages: string[][] = [];
  let length = Infinity;
  for (const line of lines) {
    const more = lengthInAnyLanguage(line) + 1;
    if (length + more > sectionLimit + 1) {
      pages.push([]);
      length = 0;
    }
    pages.at(-1)?.push(line);
    length += more;
  }
  return pages.map((page) => joinSaid(page, '\n'));
}

export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwnElement(text)] };
}

/** A name from outside for an option or a button, on one line. */
export function shownLabel(label: string): string {
  return isSaid(label) ? label : shortName(withoutIsolates(label));
}

/** A message. `text` is the notification and the text for screen readers. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /**
   * The same facts in blocks that every surface supports. Set if `blocks` contains charts or tables: modals
   * don't support them, and neither do older workspaces.
   */
  plain?: KnownBlock[];
  /** Slack must not keep it: only the person sees it, until they load Slack anew. */
  isSecret?: true;
}

const blocksAtMost = 50;
/**
 * Slack documents no limit for a whole message. It was measured to take 13,297 characters in one block and 125 fewer with a
 * block more, and to refuse 11,341 characters in many blocks:
 * https://github.com/slackapi/bolt-js/issues/2509 and https://github.com/slackapi/bolt-js/issues/2867.
 */
const sizeAtMost = 13_000;
const sizeOfBlock = 125;

/** Whether Slack probably takes a message, by its length. */
export function fitsSlack(message: Message): boolean {
  return hasRoomFor(message.blocks) && (message.plain === undefined || hasRoomFor(message.plain));
}

function hasRoomFor(blocks: readonly KnownBlock[]): boolean {
  return blocks.length <= blocksAtMost && blocks.reduce((sum, block) => sum + sizeOf(block), 0) <= sizeAtMost;
}

/** The largest number up to `most` that fits, where every smaller one fits too; 0 if none does. */
export function mostThat(most: number, fits: (count: number) => boolean): number {
  if (fits(most)) return most;
  let [from, to] = [0, most - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (fits(middle)) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** The search for the longest list that fits asks for the same blocks again and again. */
const knownSizes = new WeakMap<KnownBlock, number>();

function sizeOf(block: KnownBlock): number {
  const size = knownSizes.get(block) ?? charactersIn(block) + sizeOfBlock;
  knownSizes.set(block, size);
  return size;
}

/** Counts the characters in all texts, as they are sent. What a picker offers stands in none of them. */
function charactersIn(value: object): number {
  return Object.entries(value).reduce((sum, [key, part]: [string, unknown]) => {
    if (key === 'options' && 'type' in value && value.type === 'static_select') return sum;
    if (key === 'text' && typeof part === 'string')
      return sum + lengthInAnyLanguage(part) + (isolated(part) === part ? 0 : 2);
    return typeof part === 'object' && part !== null ? sum + charactersIn(part) : sum;
  }, 0);
}

/** A message of one sentence (`domain/said.ts`). */
export function textMessage(icon: string, sentence: string): Message {
  const text = say`${icon} ${sentence}`;
  return { text, blocks: [section(text)] };
}

/** After this many lines, a list says how to narrow it. */
export const linesAtMost = 100;

/**
 * What a click does. `replace` runs the operation and replaces the clicked message with the answer, `row` and `button` put it
 * in the place of the row or the button, `beside` posts it separately, `modal` opens it in a modal, `form` opens the
 * operation's form. The button's action ID begins with the value.
 */
export const buttonActionIds = {
  replace: 'choose',
  row: 'row',
  button: 'button',
  beside: 'ask',
  modal: 'modal',
  form: 'form',
  question: 'question',
} as const;
export type ButtonDoing = keyof typeof buttonActionIds;

/** Slack also sends clicks on link buttons. The bot acknowledges them and does nothing. */
export const linkActionId = 'link';

/** Slack's limits for a button. */
const longestValue = 2_000;
const longestUrl = 3_000;

interface OperationButton {
  text: string;
  doing: ButtonDoing;
  operation: Pick<Operation, 'name'>;
  raw: TextInput;
  style?: 'primary' | 'danger';
}

/** A button that runs an operation or opens its form. `name` is unique within the block. Empty if the value is longer than Slack allows. */
export function operationButton(name: string, { text, doing, operation, raw, style }: OperationButton): Button[] {
  const value = JSON.stringify({ operation: operation.name, raw });
  if (value.length > longestValue) return [];
  return [
    {
      type: 'button',
      action_id: `${buttonActionIds[doing]}:${name}`,
      text: plain(asSaid(text)),
      value,
      ...(style && { style }),
    },
  ];
}

/** A button that opens a page. Empty if there is no page. */
export function linkButton(name: string, text: string, url: string | null): Button[] {
  if (url === null || url.length > longestUrl) return [];
  return [{ type: 'button', action_id: `${linkActionId}:${name}`, text: plain(asSaid(text)), url }];
}

/** The action ID of every overflow menu begins with this. */
export const menuActionId = 'menu';

/** Slack's limits: https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element */
const menuOptionsAtMost = 5;
const longestOption = 150;

/** Steps as buttons. @param from the place of the first in its row: an action ID is unique in a row */
export function stepButtons(steps: readonly Step[], from = 0): Button[] {
  return steps.flatMap(({ label, operation: name, input, opens, style, spoken }, index) => {
    const operation = operationNamed(name);
    if (operation === undefined) return [];
    const isFirst = !steps.slice(0, index).some((other) => other.operation === name) && from === 0;
    return operationButton(isFirst ? name : `${name}-${from + index}`, {
      text: label,
      doing: opens ?? 'beside',
      operation,
      raw: input,
      ...(style && { style }),
    }).map((button) => ({ ...button, ...(spoken !== undefined && { accessibility_label: spoken }) }));
  });
}

/** A row of buttons; none without buttons. */
export function buttonRow(buttons: ActionsBlock['elements']): ActionsBlock[] {
  return buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
}

/** The value of a menu’s option: what it opens (`run`: the answer beside), the operation and its input. */
type MenuValue = [does: 'run' | NonNullable<Step['opens']>, operation: string, input: Step['input']];

/** Those whose value is not longer than Slack allows. */
export function menuOptions(steps: readonly Step[]): PlainTextOption[] {
  return steps
    .map(({ label, operation, input, opens, hint }) => {
      const value: MenuValue = [opens ?? 'run', operation, input];
      return { text: plain(asSaid(label)), value: JSON.stringify(value), ...(hint && { description: plain(hint) }) };
    })
    .filter(({ value }) => value.length <= longestOption);
}

/** A line with a menu of its actions. Slack has no label for a menu, so a screen reader reads it after the line. */
export function menuSection(line: string, actions: readonly Step[], index: number): SectionBlock {
  const options = menuOptions(actions).slice(0, menuOptionsAtMost);
  const menu: Overflow = { type: 'overflow', action_id: `${menuActionId}:${index}`, options };
  return { ...section(line), ...(options.length > 0 && { accessory: menu }) };
}

/** A button as a press names it: others of a message can have the same action ID. */
type Pressed = Pick<Button, 'action_id' | 'value'>;

/** The blocks of a message in which a note takes the place of a pressed button or of its row, with the buttons that go on from there. */
export function afterPress(
  blocks: readonly KnownBlock[],
  pressed: Pressed,
  { message, next = [] }: Pick<DoneResult, 'message' | 'next'>,
  opens: 'row' | 'button',
): KnownBlock[] {
  const isPressed = (element: ActionsBlockElement) =>
    element.type === 'button' && element.action_id === pressed.action_id && element.value === pressed.value;
  const isRow = (block: KnownBlock | undefined) => block?.type === 'actions' && block.elements.some(isPressed);
  const buttons = stepButtons(next);
  return blocks.flatMap((block, index): KnownBlock[] => {
    if (block.block_id === noteBlockId && (opens === 'button' || isRow(blocks[index - 1]))) return [];
    if (block.type !== 'actions' || !isRow(block)) return [block];
    if (opens === 'row') return [context(message), ...buttonRow(buttons)];
    const elements = block.elements.flatMap((element) => (isPressed(element) ? buttons : [element]));
    return [...buttonRow(elements), { ...context(message), block_id: noteBlockId }];
  });
}

/** Of the note of a button that is pressed on and off. Rows have new IDs, since Slack keeps the state of a block that keeps its ID. */
const noteBlockId = 'messages-turned';
