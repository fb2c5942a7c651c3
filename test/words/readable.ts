import { plainSentence } from '../../src/domain/said.ts';
import { bot, channels, people, userGroups } from '../../src/sandbox/workspace/people.ts';
import type { Sample } from './collect.ts';
import type { Language } from '../../src/words/languages.ts';
import type { Area } from './collect.ts';
import { areasIn, renderFor } from './in-language.ts';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/**
 * A sample as lines that a person reads: what each block says, labels before their inputs, buttons in brackets. Lines that
 * repeat stand there once.
 */
function readable(sample: Sample): string[] {
  const lines = linesOfSample(sample);
  const runs = lines.map((line, index) =>
    line === lines[index - 1] ? 0 : lines.slice(index).findIndex((next) => next !== line),
  );
  return lines.flatMap((line, index) => {
    const times = runs[index] === -1 ? lines.length - index : (runs[index] ?? 0);
    return times === 0 ? [] : [times === 1 ? line : `${line} (${times} times)`];
  });
}

function linesOfSample({ shown }: Sample): string[] {
  if (typeof shown === 'string') return plainSentence(shown).split('\n');
  if ('type' in shown) return viewLines(asNode(shown));
  const lines = listOf(shown.blocks).flatMap(blockLines);
  const notification = asShown(shown.text).split('\n');
  const plain = listOf(shown.plain).flatMap(blockLines);
  return [
    ...(isSaidBy(lines, notification) ? [] : notification.map((line) => `Notification: ${line}`)),
    ...lines,
    ...(plain.length > 0 ? ['Without charts and tables:', ...plain.map((line) => `  ${line}`)] : []),
  ];
}

/** Whether the blocks begin with the notification, in bold or not, so that it says nothing of its own. */
const isSaidBy = (lines: readonly string[], notification: readonly string[]): boolean =>
  notification.every((line, index) => lines[index]?.replaceAll('*', '') === line.replaceAll('*', ''));

const asNode = (value: object): Node => value as Node;

function viewLines(view: Node): string[] {
  const buttons = ['submit', 'close'].map((key) => textOf(view[key])).filter((label) => label !== '');
  const title = textOf(view['title']);
  return [
    ...(title === '' ? [] : [`# ${title}`]),
    ...listOf(view['blocks']).flatMap(blockLines),
    ...(buttons.length === 0 ? [] : [`Modal buttons: ${buttons.map((label) => `[${label}]`).join(' ')}`]),
  ];
}

function blockLines(block: Node): string[] {
  switch (block['type']) {
    case 'header':
      return [`## ${textOf(block['text'])}`];
    case 'divider':
      return ['———'];
    case 'section':
      return [
        ...linesOf(block['text']),
        ...listOf(block['fields']).flatMap((field) => [linesOf(field).join(' ')]),
        ...elementLines(block['accessory']),
      ];
    case 'context':
      return listOf(block['elements']).flatMap((element) => linesOf(element).map((line) => `  ${line}`));
    case 'actions':
      return elementsOnOneLine(listOf(block['elements']));
    case 'input':
      return inputLines(block);
    case 'data_table':
      return [
        `Table: ${String(block['caption'])}`,
        ...listOfLists(block['rows']).map((row) => `  ${row.map(cellText).join(' | ')}`),
      ];
    case 'data_visualization':
      return [`Chart: ${String(block['title'])}`, ...chartTexts(block['chart']).map((line) => `  ${line}`)];
    default:
      return allTexts(block);
  }
}

function inputLines(block: Node): string[] {
  const element = isNode(block['element']) ? block['element'] : {};
  const placeholder = textOf(element['placeholder']);
  const hint = textOf(block['hint']);
  const optional = block['optional'] === true ? ' (optional)' : '';
  return [
    `${textOf(block['label'])}${optional}:${placeholder === '' ? '' : ` [${placeholder}]`}${optionsOf(element)}`,
    ...(hint === '' ? [] : [`  (${hint})`]),
  ];
}

function elementsOnOneLine(elements: Node[]): string[] {
  const lines = elements.map(elementLines);
  return [
    ...(lines.length === 0 ? [] : [lines.map(([label = '']) => label).join(' ')]),
    ...lines.flatMap((line) => line.slice(1)),
  ];
}

/** A button in brackets, with the question of its confirmation below it. */
function elementLines(element: unknown): string[] {
  if (!isNode(element)) return [];
  const label =
    textOf(element['text']) || textOf(element['placeholder']) || (element['type'] === 'overflow' ? '⋯' : '');
  const spoken = typeof element['accessibility_label'] === 'string' ? element['accessibility_label'] : '';
  const initial = textOf(isNode(element['initial_option']) ? element['initial_option']['text'] : undefined);
  return [
    `[${label}${initial === '' ? '' : `: ${initial}`}]${optionsOf(element)}${spoken === '' || spoken === label ? '' : ` (spoken: ${spoken})`}`,
    ...confirmLines(element['confirm']),
  ];
}

function optionsOf(element: Node): string {
  const groups = listOf(element['option_groups']).flatMap((group) => [
    `${textOf(group['label'])}:`,
    ...listOf(group['options']).map(optionText),
  ]);
  const options = [...listOf(element['options']).map(optionText), ...groups];
  return options.length === 0 ? '' : ` {${options.join(' | ')}}`;
}

function optionText(option: Node): string {
  const description = textOf(option['description']);
  return `${textOf(option['text'])}${description === '' ? '' : ` (${description})`}`;
}

function confirmLines(confirm: unknown): string[] {
  if (!isNode(confirm)) return [];
  const buttons = ['confirm', 'deny'].map((key) => `[${textOf(confirm[key])}]`).join(' ');
  return [`  Asks: ${textOf(confirm['title'])} ${textOf(confirm['text'])} ${buttons}`];
}

const listOfLists = (value: unknown): Node[][] => (Array.isArray(value) ? value.map(listOf) : []);
const cellText = (cell: Node): string => (typeof cell['text'] === 'string' ? cell['text'] : allTexts(cell).join(' '));

function chartTexts(chart: unknown): string[] {
  if (!isNode(chart)) return [];
  const axes = isNode(chart['axis_config']) ? chart['axis_config'] : {};
  const names = listOf(chart['series']).map((series) => String(series['name']));
  return [...names, ...['x_label', 'y_label'].map((key) => axes[key]).filter((label) => typeof label === 'string')];
}

/** The text of a text object, as Slack shows it. */
function textOf(text: unknown): string {
  if (typeof text === 'string') return text;
  if (!isNode(text) || typeof text['text'] !== 'string') return '';
  return text['type'] === 'mrkdwn' ? asShown(text['text']) : text['text'];
}

const linesOf = (text: unknown): string[] => (textOf(text) === '' ? [] : textOf(text).split('\n'));

const allTexts = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(allTexts);
  if (!isNode(value)) return [];
  return typeof value['text'] === 'string' ? linesOf(value) : Object.values(value).flatMap(allTexts);
};

/** Shows mentions, dates, links and entities of Slack's markup the way a person sees them. */
function asShown(mrkdwn: string): string {
  return mrkdwn
    .replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll(/<@([A-Z0-9]+)>/g, (whole, id: string) => nameOf(personNames, id, '@') ?? whole)
    .replaceAll(/<#([A-Z0-9]+)(?:\|[^>]*)?>/g, (whole, id: string) => nameOf(channelNames, id, '#') ?? whole)
    .replaceAll(/<!subteam\^([A-Z0-9]+)(?:\|[^>]*)?>/g, (whole, id: string) => nameOf(groupNames, id, '@') ?? whole)
    .replaceAll(/<(https?:[^|>]*|mailto:[^|>]*)\|([^>]*)>/g, '$2 ↗')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const personNames = new Map([...Object.values(people), bot].map(({ id, realName }) => [id, realName]));
const channelNames = new Map<string, string>(Object.values(channels).map(({ id, name }) => [id, name]));
const groupNames = new Map<string, string>(Object.values(userGroups).map(({ id, handle }) => [id, handle]));

function nameOf(names: ReadonlyMap<string, string>, id: string, sign: string): string | undefined {
  const name = names.get(id);
  return name === undefined ? undefined : sign + name;
}

const englishNames = new Intl.DisplayNames('en', { type: 'language' });

/** Everything the bot says in a language, to be read in a row. */
export async function sentencesPage(areas: readonly Area[], language: Language): Promise<string> {
  const parts = areasIn(areas, await renderFor(language)).map(({ name, samples }) =>
    [
      `## ${name}`,
      ...samples.map((sample) => `### ${sample.when}\n\n\`\`\`text\n${readable(sample).join('\n')}\n\`\`\``),
    ].join('\n\n'),
  );
  return `# What the bot says${language === 'en' ? '' : ` in ${englishNames.of(language)}`}

Generated from the samples in \`test/words/samples\`. ${
    language === 'en'
      ? 'After a change: `npx vitest run test/words --update`, and read the difference aloud.'
      : `\`npm run words -- --page ${language}\` prints it.`
  }

${parts.join('\n\n')}
`;
}
