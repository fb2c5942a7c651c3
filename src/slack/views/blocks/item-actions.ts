import { moment } from '../../../time/date-words.ts';
import type { ActionsBlock, Button, KnownBlock, Overflow, SectionBlock } from '@slack/types';
import { asSaid, say } from '../../../domain/said.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Step } from '../../../operations/page.ts';
import { operationButton } from './buttons.ts';
import { fitsSlack, linesAtMost, listing, mostThat, type Message } from './message.ts';
import { context, section, shortName, plain } from './mrkdwn.ts';

/** The action ID of every overflow menu begins with this. */
export const menuActionId = 'menu';

/** Slack's limits: https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element */
const menuOptionsAtMost = 5;
const longestValue = 150;

/** What a list item is, and what can be done with it. */
export interface ListItem {
  line: string;
  actions: readonly Step[];
}

/** The actions that the reader may run or ask for. */
export function offeredActions(actions: readonly Step[], offered: ReadonlySet<string>): Step[] {
  return actions.filter(({ operation }) => offered.has(operation));
}

/** The actions as buttons. A screen reader reads with each what it acts on. */
export function actionButtons(about: string, actions: readonly Step[], offered: ReadonlySet<string>): Button[] {
  return offeredActions(actions, offered).flatMap(({ label, operation, input, opensForm }) => {
    const found = operationNamed(operation);
    const made = found
      ? operationButton(operation, { text: label, doing: opensForm ? 'form' : 'beside', operation: found, raw: input })
      : [];
    return made.map((button) => ({
      ...button,
      accessibility_label: `${asSaid(label)} ${shortName(about)}`,
    }));
  });
}

/** A row of buttons; none without buttons. */
export function buttonRow(buttons: ActionsBlock['elements']): ActionsBlock[] {
  return buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
}

/** The value of a menu’s option: whether it opens the form, the operation and its input. */
export type MenuValue = [does: 'run' | 'form', operation: string, input: Step['input']];

/** A line with a menu of its actions. Slack has no label for a menu, so a screen reader reads it after the line. */
export function menuSection({ line, actions }: ListItem, index: number): SectionBlock {
  const options = actions
    .map(({ label, operation, input, opensForm }) => {
      const value: MenuValue = [opensForm ? 'form' : 'run', operation, input];
      return { text: plain(asSaid(label)), value: JSON.stringify(value) };
    })
    .filter(({ value }) => value.length <= longestValue)
    .slice(0, menuOptionsAtMost);
  const menu: Overflow = { type: 'overflow', action_id: `${menuActionId}:${index}`, options };
  return { ...section(line), ...(options.length > 0 && { accessory: menu }) };
}

/** After this many items, a list goes on without menus. */
const menusAtMost = 40;

/**
 * A list whose items have a menu each. A long list goes on with plain lines, as many as a message takes.
 *
 * @param items the whole list, or its beginning: no more than `linesAtMost` are shown
 * @param options.narrow the command that narrows the list
 * @param options.count how many items the whole list has
 * @param options.below what follows the list
 */
export function actionList(
  heading: string,
  items: readonly ListItem[],
  options: { offered: ReadonlySet<string>; narrow: string; count?: number; below?: readonly KnownBlock[] },
): Message {
  const { offered, narrow, count = items.length, below = [] } = options;
  const plainList = (rest: readonly ListItem[], most: number) =>
    listing(
      heading,
      rest.map(({ line }) => line),
      narrow,
      most,
      count - items.length + rest.length,
    );
  if (!items.some(({ actions }) => offeredActions(actions, offered).length > 0)) {
    const list = plainList(items, linesAtMost);
    return { ...list, blocks: [...list.blocks, ...below] };
  }

  const withMenus = items
    .slice(0, menusAtMost)
    .map((item, index) => menuSection({ ...item, actions: offeredActions(item.actions, offered) }, index));
  const build = (menus: number, lines: number): Message => {
    const [first, ...rest] = plainList(items.slice(menus), lines).blocks;
    return {
      text: heading,
      blocks: [...(first ? [first] : []), ...withMenus.slice(0, menus), ...rest, ...below],
    };
  };
  const menus = mostThat(withMenus.length, (some) => fitsSlack(build(some, 0)));
  const lines = mostThat(Math.min(items.length, linesAtMost) - menus, (some) => fitsSlack(build(menus, some)));
  return build(menus, lines);
}

/** A button for the inputs of a list’s filter. A list that is short by itself has none. */
export function filterRow(operation: Operation, typed: string, count: number): ActionsBlock[] {
  if (typed === '' && count < shortList) return [];
  return buttonRow(
    operationButton('filter', { text: say`Filter…`, doing: 'form', operation, raw: { filter: [typed] } }),
  );
}

/** Shorter lists need no filter. */
const shortList = 10;

/** What a list of items does not say by itself. */
export interface ListFacts {
  /** How many items the whole list has; the items that are given are its beginning. */
  count?: number;
  /** From `ageOfList`. */
  age?: readonly KnownBlock[];
}

/** Says when the service gave a list that is not from this minute. */
export function ageOfList(readAt: number | undefined, timeZone: string): KnownBlock[] {
  return readAt === undefined
    ? []
    : [context(say`As of ${moment(readAt, timeZone)}. Run the command again in a moment to see later changes.`)];
}
