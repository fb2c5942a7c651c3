import { describe, expect, test } from 'vitest';
import { inEnglish, isSaid } from '../../src/domain/said.ts';
import { checkBlocks } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { readEntries } from '../../src/words/catalogues.ts';
import { languageCodes, type Language } from '../../src/words/languages.ts';
import type { Render } from '../../src/words/render.ts';
import { pseudoLanguage, pseudoRightToLeft } from '../support/pseudo-language.ts';
import { allSaid, collectSamples, type Said, type Sample } from './collect.ts';
import { areasIn, renderFor } from './in-language.ts';
import { sentencesPage } from './readable.ts';

const areas = await collectSamples();
/** What readers of each language get. */
const read = new Map(
  await Promise.all(languageCodes.map(async (code) => [code, areasIn(areas, await renderFor(code))] as const)),
);
const said = allSaid(read.get('en')!);

test('the page of sentences shows every sample as people read it', async () => {
  await expect(await sentencesPage(areas, 'en')).toMatchFileSnapshot('sentences.md');
});

/** The text without code, in which commands and their placeholders stand, and with the labels of dates and links. */
const prose = (text: string): string =>
  text
    .replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
    .replaceAll(/<[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll(/<[@#!][^>]*>/g, 'Name')
    .replaceAll(/<[^>]*>/g, '');

const found = (pattern: RegExp, textOf: (text: Said) => string): string[] =>
  said.flatMap((text) => {
    const match = pattern.exec(textOf(text));
    return match === null ? [] : [`“${match[0]}” in ${text.where}: ${text.text}`];
  });

describe('no text', () => {
  test.each([
    ['somebody', /\bsomebody\b/i],
    ['whoever', /\bwhoever\b/i],
    ['is told', /\b(?:is|are|was|were) told\b/i],
    ['hears of', /\bhears? of\b/i],
    ['told of', /\btold of\b/i],
    ['what you asked for', /\bwhat you asked for\b/i],
    ['mean, as an average', /\bMean\b|\bmean (?:up|down|score)\b/],
    ['attempt 0', /\battempt 0\b/i],
    ['zero seconds', /\b0 s\b/],
    ['“one” for a person', /\bone (?:is|can|has|must|may)\b/i],
    ['is there, for ready', /\b(?:user|account) you asked for is there\b/i],
    ['for good, in a request', /\bis deleted for good\b/i],
    ['a message each', /\ba message each\b|\ba thread a quiz\b/i],
    ['where one is asked for', /\bwhere one is\b/i],
  ])('says %s', (_name, pattern) => {
    expect(found(pattern, ({ text }) => prose(text))).toEqual([]);
  });

  test('shows an id of Slack', () => {
    const id = /\b[ABCDEGSTUVW](?=[A-Z]*[0-9])[A-Z0-9]{7,}\b/;
    expect(
      found(id, ({ text, isMarkup }) => (isMarkup ? text.replaceAll(/<(?:[@#!]|https?:)[^>]*>/g, '') : text)),
    ).toEqual([]);
  });

  test('has a mention where Slack shows no mentions', () => {
    expect(found(/<[@#!][^>]*>/, ({ text, isMarkup }) => (isMarkup ? '' : text))).toEqual([]);
  });

  test('of the audit channel mentions a person, which would notify them', () => {
    expect(found(/<@[^>]*>/, ({ text, where }) => (where.startsWith('audit: The audit channel') ? text : ''))).toEqual(
      [],
    );
  });

  test('has a straight quotation mark or apostrophe', () => {
    expect(found(/["']/, ({ text }) => prose(text))).toEqual([]);
  });

  test('has a space at its end, two in a row, or a space before a punctuation mark', () => {
    expect(
      found(/(?<=\S) {2}| $| [.,;:!?](?= |$)|\.\.$/m, ({ text }) =>
        prose(text.replaceAll(/`[^`]*`/g, 'code')).replaceAll(/:[a-z_]+:/g, ''),
      ),
    ).toEqual([]);
  });

  test('of a request begins with a past participle, as if it were done', () => {
    const request =
      /(?:approval requested:|request(?:ed)? to|wants to|would like to|asks? to|asked to|approve:|your request:)\s+[*“⁨]?(?:\w+ed|reopened|given|taken|sent|set up|begun)\b/i;
    expect(found(request, ({ text }) => text)).toEqual([]);
  });
});

const samplesOf = (all: typeof areas): Sample[] =>
  all.flatMap(({ name, samples }) => samples.map(({ when, shown }) => ({ when: `${name}: ${when}`, shown })));

/** What the workspace refuses of a sample: in its blocks, and in the title and buttons of a modal. */
function problemsOf({ when, shown }: Sample): string[] {
  if (typeof shown === 'string') return [];
  const surface = 'type' in shown ? shown.type : 'message';
  const { errors = [] } = checkBlocks(JSON.parse(JSON.stringify(shown.blocks)), { surface });
  const labels = 'type' in shown && shown.type === 'modal' ? [shown.title, shown.submit, shown.close] : [];
  const long = labels.flatMap((label) => (label && label.text.length > 24 ? [`“${label.text}” is too long`] : []));
  return [...errors, ...long].map((problem) => `${when}: ${problem}`);
}

const readers: [string, Sample[]][] = [
  ...[...read].map(([code, all]): [string, Sample[]] => [code, samplesOf(all)]),
  ...(
    [
      ['a language a third longer', pseudoLanguage],
      ['a language from right to left', pseudoRightToLeft],
    ] satisfies [string, Render][]
  ).map(([name, render]): [string, Sample[]] => [name, samplesOf(areasIn(areas, render))]),
];

describe.each(readers)('in “%s”', (_name, samples) => {
  test('the workspace takes every sample', () => {
    expect(samples.flatMap(problemsOf)).toEqual([]);
  });

  test('no mark is left', () => {
    const left = samples.filter((sample) => isSaid(JSON.stringify(visibleOf(sample))));
    expect(left.map(({ when }) => when)).toEqual([]);
  });
});

/** Without the values of buttons, which keep marks until they are sent. */
function visibleOf({ shown }: Sample): unknown {
  return JSON.parse(
    JSON.stringify(shown, (key, value: unknown) =>
      /^(?:value|private_metadata|initial_value)$/.test(key) ? undefined : value,
    ),
  );
}

test('titles of modals are whole in every language', async () => {
  const titles = new Set(samplesOf(areas).flatMap(({ shown }) => (isModal(shown) ? [shown.title.text] : [])));
  expect(titles.size).toBeGreaterThan(0);
  for (const code of languageCodes.filter((other) => other !== 'en')) {
    const render = await renderFor(code);
    const cut = [...titles].filter((title) => inEnglish(title).length <= 24 && render(title, 'label').length > 24);
    expect(cut.map((title) => `${code}: ${render(title, 'label')}`)).toEqual([]);
  }
});

const isModal = (shown: Sample['shown']) => typeof shown !== 'string' && 'type' in shown && shown.type === 'modal';

test('what a chart’s lines and bars are called is whole in every language', () => {
  const names = new Set(
    [...read].flatMap(([code, all]) =>
      samplesOf(all)
        .flatMap(namesInCharts)
        .map((name) => `${code}: ${name}`),
    ),
  );
  expect(names.size).toBeGreaterThan(0);
  expect([...names].filter((name) => name.endsWith('…'))).toEqual([]);
});

function namesInCharts({ shown }: Sample): string[] {
  if (typeof shown === 'string') return [];
  return shown.blocks.flatMap((block) => {
    const { chart } = block as { chart?: { series?: readonly { name: string }[] } };
    return chart?.series?.map(({ name }) => name) ?? [];
  });
}

/** In English for everyone: the record, steps of workflows as the manifest describes them, and what is wrong with a record of the service. */
const isInEnglish = /^audit: |^workflows: A person sets up the step|^status: Everything that can be wrong/;

/** What sentences say in a language between their parts, as far as it is long enough to belong to no other. */
function piecesOf(language: Language): Set<string> {
  const entries = readEntries(language === 'en' ? 'de' : language);
  const texts = language === 'en' ? [...entries.keys()] : [...entries.values()];
  return new Set(
    texts.flatMap((text) =>
      text
        .split(/\{[^{}]*\{|[{}]|`[^`]*`|:[a-z_]+:|\n| ¦ /)
        .map((piece) => piece.trim())
        .filter((piece) => piece.length >= 18 && piece.split(' ').length >= 3),
    ),
  );
}

const pieces = new Map(languageCodes.map((language) => [language, piecesOf(language)]));

test('pieces of sentences are known in every language', () => {
  expect([...pieces].filter(([, known]) => known.size < 1_000)).toEqual([]);
});

test.each(languageCodes)('the page of “%s” says nothing in another language', (language) => {
  const texts = allSaid(read.get(language)!).filter(({ where }) => !isInEnglish.test(where));
  const own = pieces.get(language) ?? new Set();
  const words = new Set(texts.flatMap(({ text }) => text.split(' ')));
  /** Whether the words within a piece are said at all: most pieces of another language need no search. */
  const isLikely = (piece: string) =>
    piece
      .split(' ')
      .slice(1, -1)
      .every((word) => words.has(word));
  const others = languageCodes
    .filter((other) => other !== language)
    .flatMap((other) =>
      [...(pieces.get(other) ?? [])]
        .filter((piece) => !own.has(piece) && isLikely(piece))
        .flatMap((piece) => {
          const at = texts.find(({ text }) => text.includes(piece));
          return at === undefined ? [] : [`${other}: “${piece}” in ${at.where}`];
        }),
    );
  expect(others).toEqual([]);
});
