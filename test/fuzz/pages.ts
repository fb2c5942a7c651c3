import fc from 'fast-check';
import { z } from 'zod';
import { say, clip } from '../../src/domain/said.ts';
import { catalog } from '../../src/operations/catalog.ts';
import type { Chart, Item, Link, Page, Part, Step, Table } from '../../src/operations/page.ts';
import { drawPage } from '../../src/slack/views/blocks/page.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';
import { languageCodes } from '../../src/words/languages.ts';
import type { Render } from '../../src/words/render.ts';
import { asSent } from '../support/as-sent.ts';
import { pseudoLanguage, pseudoRightToLeft } from '../support/pseudo-language.ts';
import { oddTexts, problemsOfMessage, problemsOfSaid, problemsOfSize } from '../support/slack-limits.ts';
import { renderFor } from '../words/in-language.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';

/** What operations and machines may put into a page: any name, as many lines as an account has, any step of the catalog. */
interface AnyPage {
  page: Page;
  offered: ReadonlySet<string>;
  reader: string;
}

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Fire safety', 'Rosa Almeida', 'Forklift: to & from') },
  fc.constantFrom(...oddTexts.map(([, text]) => text)),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);
/** What the bot says by itself, or about a name. */
const label = (...own: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...own) },
    name.map((some) => say`About ${some}`),
  );
const operations = catalog.map((operation) => operation.name);
const ids = fc.oneof(
  { weight: 20, arbitrary: fc.array(fc.uuid(), { maxLength: 3 }) },
  fc.array(fc.uuid(), { minLength: 60, maxLength: 80 }),
);
const input = fc.dictionary(fc.constantFrom('quiz', 'user', 'page'), ids, { maxKeys: 2 });
const step: fc.Arbitrary<Step> = fc.record(
  {
    label: label(say`Results`, say`Close…`, say`View all`, say`Excuse…`),
    operation: fc.constantFrom(...operations),
    input,
    opens: fc.constantFrom('form', 'modal', 'replace'),
    style: fc.constantFrom('primary', 'danger'),
    spoken: label(say`Results of Fire safety`),
    hint: label(say`12 min`),
  },
  { requiredKeys: ['label', 'operation', 'input'] },
);
const link: fc.Arbitrary<Link> = fc.record({
  label: label(say`Take quiz`),
  url: fc.constantFrom(undefined, null, 'https://quiz.example/1', `https://quiz.example/${'x'.repeat(4_000)}`),
});
const steps = fc.array(fc.oneof({ weight: 4, arbitrary: step }, link), { maxLength: 6 });
const few = fc.nat({ max: 4 });
const many = fc.oneof({ weight: 4, arbitrary: few }, fc.nat({ max: 250 }));
const chart: fc.Arbitrary<Chart> = fc.record(
  {
    title: label(say`Attempts by percentage`),
    name: fc.constant(say`Attempts`),
    points: fc.array(
      fc.record({
        label: label(say`Mon 3 May`, say`At the end`).map((some) => clip(some, 20)),
        value: fc.nat({ max: 9_999 }),
      }),
      {
        minLength: 1,
        maxLength: 20,
      },
    ),
    xLabel: label(say`Percentage`),
    yLabel: label(say`Attempts`),
    beside: fc.record({ name: fc.constant(say`Due`), values: fc.array(fc.nat({ max: 9_999 }), { maxLength: 20 }) }),
    isLine: fc.constant(true as const),
  },
  { requiredKeys: ['title', 'name', 'points', 'xLabel', 'yLabel'] },
);

/** Each line begins with a tag of its own, by which it is found in what is sent. */
const tagOf = (part: number, line: number): string => `#${part}.${line}.`;

const anyPage: fc.Arbitrary<AnyPage> = fc
  .record({
    heading: name,
    notes: fc.array(name, { maxLength: 2 }),
    beside: fc.option(step, { nil: undefined }),
    steps,
    offered: fc.subarray(operations),
    reader: fc.constantFrom(...languageCodes, 'a language a third longer', 'a language from right to left'),
    parts: fc.array(
      fc.record({
        kind: fc.constantFrom('lines', 'items', 'facts', 'chart', 'table', 'picker'),
        isApart: fc.boolean(),
        title: fc.option(label(say`Your results`), { nil: undefined }),
        beside: fc.option(step, { nil: undefined }),
        count: many,
        more: fc.constantFrom(0, 0, 3, 100_000),
        names: fc.array(name, { minLength: 1, maxLength: 5 }),
        // Titles of columns are cut where they are said.
        about: label(say`Groups`).map((some) => clip(some, 60)),
        ends: fc.constantFrom({}, { narrow: '/quiz list' }, { rest: say`The CSV file has all of them.` }),
        steps,
        chart,
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ heading, notes, beside, steps: pageSteps, offered, reader, parts }) => {
    const { drawn } = parts.reduce<{ drawn: Part[]; charts: number }>(
      ({ drawn: before, charts }, part, at) => {
        // A message takes two charts, and one table.
        const kind =
          (part.kind === 'chart' && charts === 2) || (part.kind === 'table' && before.some(({ table }) => table))
            ? 'lines'
            : part.kind;
        return { drawn: [...before, partOf({ ...part, kind }, at)], charts: charts + Number(kind === 'chart') };
      },
      { drawn: [], charts: 0 },
    );
    return {
      page: {
        heading: say`📋 *${heading}*`,
        ...(beside && { beside }),
        notes: notes.map((note) => say`ID ${note}`),
        parts: drawn,
        steps: pageSteps,
      },
      offered: new Set(offered),
      reader,
    };
  });

interface PartSeed {
  kind: 'lines' | 'items' | 'facts' | 'chart' | 'table' | 'picker';
  isApart: boolean;
  title: string | undefined;
  beside: Step | undefined;
  count: number;
  more: number;
  names: readonly string[];
  about: string;
  ends: Pick<Part, 'narrow' | 'rest'>;
  steps: readonly (Step | Link)[];
  chart: Chart;
}

function partOf(
  { kind, isApart, title, beside, count, more, names, about, ends, steps: own, chart: some }: PartSeed,
  at: number,
): Part {
  const lines = Array.from({ length: count }, (_, line) => say`${tagOf(at, line)} *${names[line % names.length]!}*`);
  const all = {
    ...(isApart && { isApart }),
    ...(title !== undefined && { title }),
    ...ends,
    steps: own,
    count: count + more,
  };
  const run = own.filter((one) => 'operation' in one);
  switch (kind) {
    case 'lines':
      return { ...all, ...(beside && { beside }), lines };
    case 'items':
      return {
        ...all,
        ...(count % 3 === 0 && { buttonsBelow: true }),
        items: lines.map((line, index): Item => ({
          line,
          steps: run.length > 0 ? Array.from({ length: index % 7 }, (_, place) => run[place % run.length]!) : [],
        })),
      };
    case 'facts':
      return { steps: own, facts: lines.slice(0, 30).map((fact) => [say`Groups`, fact] as const) };
    case 'chart':
      return { steps: own, chart: some };
    case 'table':
      return { ...all, table: tableOf(lines, names, about) };
    case 'picker': {
      const options = run
        .slice(0, 1)
        .flatMap(({ operation }) =>
          lines.map((_, line) => ({ operation, label: say`#${line}`, input: { quiz: [String(line)] } })),
        );
      const picker = { label: about, steps: options, chosen: count };
      return count % 2 === 0
        ? { steps: own, picker }
        : { steps: own, lines: lines.slice(0, 1), count: 1, beside: picker };
    }
  }
}

function tableOf(lines: readonly string[], names: readonly string[], about: string): Table {
  return {
    caption: about,
    columns: [
      { title: say`Name`, cells: lines },
      // A workspace takes 20 columns.
      ...Array.from({ length: lines.length % 25 }, () => ({
        title: about,
        cells: lines.map((_, row) => names[row % names.length]),
      })),
      { title: say`Points`, cells: lines.map((_, row) => (row % 2 ? undefined : { value: row, shown: String(row) })) },
    ],
    lines,
  };
}

/**
 * Draws any page. The workspace has to take it in each language; it has every line or says how many it left out; its buttons are the
 * steps that the reader may run, and lead where they say.
 */
export async function fuzzPages(options: FuzzOptions): Promise<FuzzRow> {
  const renders = new Map<string, Render>([
    ...(await Promise.all(languageCodes.map(async (code): Promise<[string, Render]> => [code, await renderFor(code)]))),
    ['a language a third longer', pseudoLanguage],
    ['a language from right to left', pseudoRightToLeft],
  ]);
  return fuzz('pages', options, anyPage, async ({ page, offered, reader }) => {
    const message = drawPage(page, { offered });
    const render = renders.get(reader)!;
    const { text, blocks, plain } = message;
    const ways = [blocks, ...(plain === undefined ? [] : [plain])].map((way) => writeTexts(way, asSent));
    const problems = [
      ...problemsOfMessage(message),
      ...problemsOfSize(message),
      ...[blocks, ...(plain === undefined ? [] : [plain])].flatMap((way) =>
        problemsOfSaid({ surface: 'message', blocks: way, text }, { [reader]: render }),
      ),
      ...problemsOfSaid({ surface: 'modal', blocks: plain ?? blocks }, { [reader]: render }),
      ...ways.flatMap((way) => [...problemsOfLeft(page, way), ...problemsOfButtons(page, way, offered)]),
    ];
    if (problems.length > 0)
      throw new Error(`${problems.slice(0, 6).join('\n')}\n${JSON.stringify(page).slice(0, 2_000)}`);
    return ways.some((way) => JSON.stringify(way).includes('…and ')) ? 'shortened' : 'whole';
  });
}

/** As many lines of each part as are missing are said to be left out. */
function problemsOfLeft({ parts = [] }: Page, blocks: unknown): string[] {
  const shown = JSON.stringify(blocks);
  const said = [...shown.matchAll(/…and ([\d,]+) more/g)].map(([, left]) => Number(left!.replaceAll(',', '')));
  const left = parts.flatMap(({ lines, items, table, count }, at) => {
    const all = lines?.length ?? items?.length ?? table?.lines.length;
    if (all === undefined) return [];
    const there = Array.from({ length: all }, (_, line) => line).filter((line) =>
      shown.includes(tagOf(at, line)),
    ).length;
    return count! - there > 0 ? [count! - there] : [];
  });
  return JSON.stringify(left) === JSON.stringify(said)
    ? []
    : [`${left.join(', ')} lines of parts are missing, and it says ${said.join(', ')}`];
}

const buttonValue = z.object({ operation: z.string(), raw: z.record(z.string(), z.array(z.string())) });
const optionValue = z.tuple([z.string(), z.string(), z.record(z.string(), z.array(z.string()))]);

/** Every step that the reader may run, and no other, is a button of the page and of its parts. */
function problemsOfButtons(page: Page, blocks: unknown, offered: ReadonlySet<string>): string[] {
  const found = elementsIn(blocks).map(({ does, operation, raw }) => `${does} ${operation} ${JSON.stringify(raw)}`);
  const rows = [page.beside ?? [], page.steps ?? [], ...(page.parts ?? []).map((part) => part.steps ?? [])].flat();
  const inItems = (page.parts ?? []).flatMap(({ items = [], picker, beside }) => [
    ...(beside && 'steps' in beside ? beside.steps : beside ? [beside] : []),
    ...items.flatMap((item) => item.steps ?? []),
    ...(picker?.steps ?? []),
  ]);
  const wordsOf = (some: readonly (Step | Link)[]) =>
    some.flatMap((one) =>
      // A button whose value is longer than the workspace takes is left out.
      'operation' in one && offered.has(one.operation) && JSON.stringify(one.input).length < 1_900
        ? [`${one.opens ?? 'beside'} ${one.operation} ${JSON.stringify(one.input)}`]
        : [],
    );
  const [must, may] = [wordsOf(rows), new Set(wordsOf([...rows, ...inItems]))];
  return [
    ...must.filter((words) => !found.includes(words)).map((words) => `no button for ${words}`),
    ...found.filter((words) => !may.has(words)).map((words) => `a button for ${words}`),
  ];
}

const doing: Readonly<Record<string, string>> = { choose: 'replace', ask: 'beside', modal: 'modal', form: 'form' };

/** What the buttons and the options of menus run. */
function elementsIn(value: unknown): { does: string; operation: string; raw: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(elementsIn);
  if (typeof value !== 'object' || value === null) return [];
  const {
    type,
    action_id: id,
    value: own,
  } = value as {
    type?: string;
    action_id?: string;
    value?: unknown;
  };
  if (type === 'button' && typeof own === 'string') {
    const { operation, raw } = buttonValue.parse(JSON.parse(own));
    return [{ does: doing[id!.split(':')[0]!] ?? id!, operation, raw }];
  }
  if (type === undefined && typeof own === 'string') {
    const [does, operation, raw] = optionValue.parse(JSON.parse(own));
    return [{ does: does === 'run' ? 'beside' : does, operation, raw }];
  }
  return Object.values(value).flatMap(elementsIn);
}
