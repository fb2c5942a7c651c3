import type { KnownBlock, SectionBlock } from '@slack/types';
import { amount, say } from '../../../domain/said.ts';
import type { Item, Page, Part, Step, Thing } from '../../../operations/page.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { ageOfList, buttonRow, menuSection, stepButtons } from './item-actions.ts';
import { fitsSlack, linesAtMost, mostThat, type Message } from './message.ts';
import { context, section, sections } from './mrkdwn.ts';

/** Who reads a page. */
interface Reader {
  /** The operations that they may run or ask for; undefined: those that the page names. */
  offered?: ReadonlySet<string> | undefined;
  timeZone: string;
}

/** After this many items, a list goes on without buttons beside them. */
const itemsAtMost = 40;

/** Draws a page for Slack: as much of its lists as a message takes, and how much is left. */
export function drawPage(page: Page, { offered, timeZone }: Reader): Message {
  const { heading, parts = [], steps = [], about, notes = [], readAt, isSecret } = page;
  const mayRun = ({ operation }: Step) => offered?.has(operation) ?? true;
  const buttons = [
    ...stepButtons(steps.filter(mayRun)),
    ...(about === undefined ? [] : stepButtons(stepsOf(about).filter(mayRun), about.name)),
  ];
  const below = [...ageOfList(readAt, timeZone), ...notes.map(context), ...buttonRow(buttons)];
  /** @param room how many items have buttons beside them, and how many lines there are in all */
  const build = (room: Room): Message => ({
    text: heading,
    blocks: [section(heading), ...parts.flatMap((part) => partBlocks(part, room, mayRun)), ...below],
    ...(isSecret && { isSecret }),
  });
  const items = mostThat(itemsAtMost, (most) => fitsSlack(build({ items: most, lines: most })));
  const lines = mostThat(linesAtMost - items, (more) => fitsSlack(build({ items, lines: items + more }))) + items;
  return build({ items, lines });
}

interface Room {
  items: number;
  lines: number;
}

function partBlocks(part: Part, room: Room, mayRun: (step: Step) => boolean): KnownBlock[] {
  const { items = [], lines = [], most = linesAtMost, narrow } = part;
  const count = part.count ?? items.length + lines.length;
  const shown = Math.min(most, room.lines, items.length + lines.length);
  const stepped = items.map((item) => ({
    ...item,
    steps: [...(item.steps ?? []), ...stepsOf(item.about)].filter(mayRun),
  }));
  const drawn = stepped.slice(0, stepped.some(({ steps }) => steps.length > 0) ? Math.min(room.items, shown) : 0);
  const rest = [...items.slice(drawn.length).map(({ line }) => line), ...lines].slice(0, shown - drawn.length);
  const left = count - shown;
  return [
    ...drawn.map(itemSection),
    ...sections(rest),
    ...(left > 0
      ? [
          context(
            narrow === undefined
              ? say`…and ${amount(left)} more`
              : say`…and ${amount(left)} more. To narrow the list, type \`${narrow}\` and part of a name.`,
          ),
        ]
      : []),
  ];
}

/** One step is a button beside the line, more are a menu. */
function itemSection({ line, about, steps }: Item & { steps: readonly Step[] }, index: number): SectionBlock {
  const [only, ...more] = steps;
  if (only === undefined || more.length > 0 || about !== undefined) return menuSection(line, steps, index);
  const [button] = stepButtons([only]);
  return { ...section(line), ...(button && { accessory: button }) };
}

const stepsOf = (thing: Thing | undefined): Step[] =>
  thing === undefined ? [] : stepsBeside(thing.kind, thing.in)(thing.of);
