import { describe, expect, test } from 'vitest';
import { collectSamples, allSaid, type Said } from './collect.ts';
import { areasIn, renderFor } from './in-language.ts';
import { sentencesPage } from './readable.ts';

const collected = await collectSamples();
const areas = areasIn(collected, await renderFor('en'));
const said = allSaid(areas);

test('the page of sentences shows every sample as people read it', async () => {
  await expect(await sentencesPage(collected, 'en')).toMatchFileSnapshot('sentences.md');
});

test('no two samples of a file have the same situation', () => {
  const situations = areas.flatMap(({ name, samples }) => samples.map(({ when }) => `${name}: ${when}`));
  expect(situations.filter((situation, index) => situations.indexOf(situation) !== index)).toEqual([]);
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
