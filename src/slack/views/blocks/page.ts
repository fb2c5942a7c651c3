import {
  fitsSlack,
  linesAtMost,
  mostThat,
  context,
  mrkdwnElement,
  plain,
  section,
  sections,
  type Message,
  buttonRow,
  menuActionId,
  menuOptions,
  menuSection,
  stepButtons,
  linkButton,
} from './message.ts';
import type { ActionsBlock, Button, KnownBlock, SectionBlock, StaticSelect, Block, DataTableBlock } from '@slack/types';
import { asSaid, say, lengthInAnyLanguage, marks, clip, shortName, isBlank, isolated } from '../../../domain/said.ts';
import {
  chartLines,
  leftWords,
  type Fact,
  type Item,
  type Link,
  type Page,
  type Part,
  type Step,
  type Texts,
  type Thing,
  type ButtonPlace,
  type ThingsWithButtons,
  type Chart,
  type Cell as TableCell,
  type Table,
} from '../../../operations/page.ts';
import { catalog } from '../../../operations/catalog.ts';
import type { Field } from '../../../operations/fields/fields.ts';

/** Who reads a page. */
interface Reader {
  /** The operations that they may run or ask for; undefined: those that the page names. */
  offered?: ReadonlySet<string> | undefined;
  /** Nothing may be left out: a page that is too long is two. */
  isWhole?: boolean;
}

/** Slack’s limit for a fact. */
const longestText = 2_000;
/** After this many items, a list goes on without buttons beside them. */
const itemsAtMost = 40;

/** Draws a page for Slack: as much of its lists as a message takes, and how much is left. */
export function drawPage(page: Page, { offered, isWhole = false }: Reader = {}): Message {
  const { heading, notification = heading, beside, parts = [], steps = [], about, notes = [], isSecret } = page;
  const isOffered = amongThem(offered);
  const buttons = [...buttonsOf(steps.filter(isOffered)), ...stepButtons(stepsOf(about).filter(isOffered))];
  const drawnParts = parts.map((part) => drawPart(part, isOffered));
  const blocksWith = (room: Room): KnownBlock[] => [
    ...withButton([section(clip(heading, room.text))], beside, isOffered),
    ...drawnParts.flatMap((blocksIn) => blocksIn(room)),
    ...given(notes).map((note) => context(clip(note, room.text))),
    ...buttonRow(buttons),
  ];
  const isRich = parts.some(({ chart, table }) => chart !== undefined || table !== undefined);
  const build = (room: Omit<Room, 'isRich'>): Message => ({
    text: notification,
    blocks: blocksWith({ ...room, isRich }),
    ...(isRich && { plain: blocksWith({ ...room, isRich: false }) }),
    ...(isSecret && { isSecret }),
  });
  if (isWhole) return build({ text: longestText, items: Infinity, lines: Infinity });
  const whole = build({ text: longestText, items: itemsAtMost, lines: linesAtMost });
  if (fitsSlack(whole)) return whole;
  const text = mostThat(longestText, (most) => fitsSlack(build({ text: most, items: 0, lines: 0 })));
  const items = mostThat(itemsAtMost, (most) => fitsSlack(build({ text, items: most, lines: most })));
  const lines = mostThat(linesAtMost - items, (more) => fitsSlack(build({ text, items, lines: items + more }))) + items;
  return build({ text, items, lines });
}

/** Parts for a surface that has a heading of its own. @param offered the operations that the reader may run or ask for; undefined: those that the parts name */
export function drawParts(parts: readonly Part[], offered?: ReadonlySet<string>): KnownBlock[] {
  const room = { text: longestText, items: itemsAtMost, lines: linesAtMost, isRich: false };
  return parts.flatMap((part) => drawPart(part, amongThem(offered))(room));
}

const amongThem =
  (offered: ReadonlySet<string> | undefined): MayRun =>
  (step) =>
    !('operation' in step) || (offered?.has(step.operation) ?? true);

interface Room {
  /** The longest heading, fact and note. */
  text: number;
  /** How many items have buttons beside them. */
  items: number;
  /** How many lines there are in all. */
  lines: number;
  /** Whether the surface has charts and tables. */
  isRich: boolean;
}

type MayRun = (step: Step | Link) => boolean;

/** What doesn’t depend on the room is drawn once: how much room there is, is found by trying. */
function drawPart(part: Part, mayRun: MayRun): (room: Room) => KnownBlock[] {
  const { isApart, title, facts, chart, table, items = [], most = Infinity, steps = [], picker, notes = [] } = part;
  const above: KnownBlock[] = [
    ...(isApart ? [{ type: 'divider' } as const] : []),
    ...(title === undefined ? [] : [{ type: 'header', text: plain(asSaid(title)) } as const]),
  ];
  const lines = given(part.lines ?? []);
  const [richChart, plainChart] = chart === undefined ? [[], []] : [[drawChart(chart)], sections(chartLines(chart))];
  const richTable = table && tableBlock(table);
  const below = actionsOf(buttonsOf(steps.filter(mayRun)), picker === undefined ? [] : selectOf(picker, mayRun));
  const stepsBesideItem = (item: Item) => [...(item.steps ?? []), ...stepsOf(item.about)].filter(mayRun);
  const hasButtons = items.slice(0, linesAtMost).some((item) => stepsBesideItem(item).length > 0);
  const drawItem = part.buttonsBelow ? itemWithRow : itemSection;
  const drawnItems: KnownBlock[][] = [];
  const itemBlocks = (item: Item, index: number): KnownBlock[] =>
    (drawnItems[index] ??= [drawItem({ ...item, steps: stepsBesideItem(item) }, index)].flat());
  return (room) => {
    // Below others, items have no room without their buttons.
    const itemsShown = part.buttonsBelow && hasButtons ? lines.length + room.items : Infinity;
    const atMost = Math.min(most, room.lines, itemsShown);
    const drawnTable = room.isRich ? richTable : undefined;
    const tableLines = table && !room.isRich ? table.lines.slice(0, atMost) : [];
    const shown = Math.min(atMost, lines.length + items.length);
    const shownItems = items.slice(0, Math.max(0, shown - lines.length));
    const withButtons = shownItems.slice(0, hasButtons ? room.items : 0);
    const left = (part.count ?? lines.length + items.length + (table?.lines.length ?? 0)) - shown;
    return [
      ...above,
      ...withButton(sections(lines.slice(0, shown)), part.beside, mayRun),
      ...(facts === undefined ? [] : factSections(facts, room)),
      ...(room.isRich ? richChart : plainChart),
      ...(drawnTable === undefined ? [] : [drawnTable.block]),
      ...sections(tableLines),
      ...withButtons.flatMap(itemBlocks),
      ...sections(shownItems.slice(withButtons.length).map(({ line }) => line)),
      ...given([leftWords(left - tableLines.length - (drawnTable?.shown ?? 0), part)]).map((rest) => context(rest)),
      ...below,
      ...given(notes).map((note) => context(clip(note, room.text))),
    ];
  };
}

/** The sections with a button or a menu beside the first. */
function withButton(texts: SectionBlock[], beside: Part['beside'], mayRun: MayRun): SectionBlock[] {
  const [accessory] =
    beside !== undefined && 'steps' in beside
      ? selectOf(beside, mayRun)
      : stepButtons([beside].filter((step) => step !== undefined).filter(mayRun));
  return texts.map((text, index) => (index === 0 && accessory ? { ...text, accessory } : text));
}

const given = (texts: Texts): string[] => texts.flatMap((text) => text || []);

const factsInSection = 10;

function factSections(facts: readonly Fact[], room: Room): SectionBlock[] {
  const fields = facts.flatMap(([label, fact = '']) =>
    fact.trim() === '' ? [] : [mrkdwnElement(say`*${label}*\n${clip(fact, room.text)}`)],
  );
  return Array.from({ length: Math.ceil(fields.length / factsInSection) }, (_, at) => ({
    type: 'section',
    fields: fields.slice(at * factsInSection, (at + 1) * factsInSection),
  }));
}

type DrawnItem = Item & { steps: readonly (Step | Link)[] };

const itemWithRow = ({ line, steps }: DrawnItem): KnownBlock[] => [section(line), ...buttonRow(buttonsOf(steps))];

/** One step is a button beside the line, more are a menu. */
function itemSection({ line, about, steps }: DrawnItem, index: number): SectionBlock {
  const [only, ...more] = steps;
  if (only === undefined || more.length > 0 || about !== undefined)
    return menuSection(
      line,
      steps.filter((step) => 'operation' in step),
      index,
    );
  const [button] = buttonsOf([only]);
  return { ...section(line), ...(button && { accessory: button }) };
}

const buttonsOf = (steps: readonly (Step | Link)[]): Button[] =>
  steps.flatMap((step, index) => {
    if ('operation' in step) {
      const isFirst = steps.findIndex((one) => 'operation' in one && one.operation === step.operation) === index;
      return stepButtons([step], isFirst ? 0 : index);
    }
    const { label, url, style, spoken } = step;
    return linkButton(String(index), label, url ?? null).map((button) => ({
      ...button,
      ...(style && { style }),
      ...(spoken !== undefined && { accessibility_label: spoken }),
    }));
  });

/** Slack’s limit: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const pickedAtMost = 100;

function actionsOf(buttons: ActionsBlock['elements'], selects: StaticSelect[]): ActionsBlock[] {
  if (selects.length === 0) return buttonRow(buttons);
  const elements = [...selects, ...buttons];
  // Slack keeps what was chosen in a message or view whose block keeps its ID, whatever the block offers now:
  // https://docs.slack.dev/reference/block-kit/blocks
  return [{ type: 'actions', block_id: `picker ${fnv1a(JSON.stringify(elements))}`, elements }];
}

/** None without options. */
function selectOf({ label, steps, chosen = -1 }: NonNullable<Part['picker']>, mayRun: MayRun): StaticSelect[] {
  const options = menuOptions(steps.filter(mayRun)).slice(0, pickedAtMost);
  const initial = options[chosen];
  if (options.length === 0) return [];
  return [
    {
      type: 'static_select',
      action_id: `${menuActionId}:pick`,
      placeholder: plain(label),
      options,
      ...(initial && { initial_option: initial }),
    },
  ];
}

/** A screen reader reads with each what it acts on. */
const stepsOf = (thing: Thing | undefined): Step[] =>
  thing === undefined
    ? []
    : stepsBeside(
        thing.kind,
        thing.in,
      )(thing.of).map((step) => ({ ...step, spoken: `${asSaid(step.label)} ${shortName(thing.name)}` }));

/** http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(16);
}

/** What a place offers to do with each thing of a kind, the likeliest first. */
function stepsBeside<Kind extends keyof ThingsWithButtons>(
  kind: Kind,
  place: ButtonPlace,
): (thing: ThingsWithButtons[Kind]) => Step[] {
  const beside = catalog
    .flatMap(({ name, fields, buttons }) =>
      (buttons?.[kind] ?? []).map((button) => ({ operation: name, field: fields[kind], button })),
    )
    .filter(({ button }) => button.in.includes(place))
    .toSorted((a, b) => a.button.position - b.button.position);
  return (thing) =>
    beside
      .filter(({ field, button }) => button.when?.(thing) ?? mayTake(field, thing))
      .map(({ operation, button: { label, opens, fills } }) => ({
        label,
        operation,
        input: { [fills ?? kind]: [fills === undefined ? idOf(thing) : `${kind}:${idOf(thing)}`] },
        ...(opens && { opens }),
      }));
}

/** Nothing is to be done with a campaign that is over, but by fields that take it as well. */
function mayTake(field: Field | undefined, thing: ThingsWithButtons[keyof ThingsWithButtons]): boolean {
  return !('endedAt' in thing) || thing.endedAt === null || (field?.kind === 'campaign' && field.isRunning !== true);
}

function idOf(thing: ThingsWithButtons[keyof ThingsWithButtons]): string {
  if ('quiz_id' in thing) return thing.quiz_id;
  if ('user_id' in thing) return thing.user_id;
  return 'group_id' in thing ? thing.group_id : thing.id;
}

/** A chart drawn by Slack. Modals don’t support this block. */
function drawChart({ title, name, points, beside, isLine, xLabel, yLabel }: Chart): KnownBlock {
  const series = [{ name, values: points.map(({ value }) => value) }, ...(beside ? [beside] : [])];
  const block: Block & { title: string; chart: object } = {
    type: 'data_visualization',
    title,
    chart: {
      type: isLine ? 'line' : 'bar',
      series: series.map(({ name: seriesName, values }) => ({
        name: seriesName,
        data: points.map(({ label }, place) => ({ label, value: values[place] ?? 0 })),
      })),
      axis_config: {
        categories: points.map(({ label }) => label),
        x_label: xLabel,
        y_label: yLabel,
      },
    },
  };
  return block as Block as KnownBlock; // younger than the SDK's types
}

type Cell = DataTableBlock['rows'][number][number];

/** Slack’s limits for tables in a message: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
const rowLimit = 100;
const columnLimit = 20;
const characterLimit = 10_000;

/** What is not known. */
const unknownCell = textCell('–');

/** Its content is taken for words from outside. */
function textCell(content: string): Cell {
  return { type: 'raw_text', text: content };
}

const rowsOnPage = 10;

/** A sortable table of the first rows, as many as Slack accepts; undefined if there are none. */
function tableBlock({ caption, columns }: Table): { block: DataTableBlock; shown: number } | undefined {
  const count = Math.min(rowLimit, columns[0]?.cells.length ?? 0);
  const used = columns
    .filter(({ cells }) => cells.slice(0, count).some((cell) => cell !== undefined))
    .slice(0, columnLimit);
  const header = used.map(({ title }) => textCell(title));
  const rows = fittingRows(
    header,
    Array.from({ length: count }, (_, row) => used.map(({ cells }) => drawnCell(cells[row]))),
  );
  const shown = rows.length - 1;
  return shown <= 0 ? undefined : { shown, block: { type: 'data_table', caption, page_size: rowsOnPage, rows } };
}

/** Numbers sort by their value. */
function drawnCell(cell: TableCell): Cell {
  if (cell === undefined || (typeof cell === 'string' && isBlank(cell))) return unknownCell;
  return typeof cell === 'string' ? textCell(cell) : { type: 'raw_number', value: cell.value, text: cell.shown };
}

/** A header row and as many of the rows as Slack accepts. */
function fittingRows(header: readonly Cell[], rows: readonly (readonly Cell[])[]): Cell[][] {
  const fitting = [[...header]];
  let characters = charactersIn(header);
  for (const row of rows) {
    characters += charactersIn(row);
    if (characters > characterLimit) break;
    fitting.push([...row]);
  }
  return fitting;
}

function charactersIn(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => {
    if (!('text' in cell)) return sum;
    const { text } = cell;
    // Each part that runs from right to left gets two marks more where it is sent.
    const parts = isolated(text) === text ? 0 : text.split(marks.part[0]).length;
    return sum + lengthInAnyLanguage(text) + 2 * parts;
  }, 0);
}
