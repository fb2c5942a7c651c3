import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { isSaid, partsOfSentence } from '../../src/domain/said.ts';
import {
  actionOf,
  actionsSaid,
  noChangesSaid,
  outcomesSaid,
  proposalsSaid,
  type Worded,
} from '../support/builders/changes.ts';
import { passedWords } from '../../src/operations/wording/result-words.ts';
import { countOutcomes, type SubmissionOutcome } from '../../src/domain/submission-outcome.ts';
import { listedName, shownName, shownQuizName } from '../../src/operations/wording/shown-name.ts';
import fc from 'fast-check';

/** These have their words beside them: nobody else reads them. */
const ownWords = new Set(['make-token', 'revoke-token', 'revoke-lent-rights', 'take-rights-back', 'dismiss-departed']);
const changes = catalog.filter(({ access, name }) => access !== 'read' && access !== 'own' && !ownWords.has(name));
const names = changes.map(({ name }) => name).toSorted();
/** What they say where nothing changes depends on the channel, which `run` knows. */
const ofAlerts = ['subscribe-channel', 'pause-alerts', 'resume-alerts', 'set-channel-language'];
const operationsOf = (said: readonly Worded[]) => [...new Set(said.map(([operation]) => operation))].toSorted();
const wordsOf = (sentence: string) =>
  partsOfSentence(sentence)
    .filter(({ isName }) => !isName)
    .map(({ text }) => text)
    .join('');
const wordsAndNames = (sentence: string) =>
  partsOfSentence(sentence)
    .map(({ text }) => text)
    .join('');

describe('every change', () => {
  test('says what a request asks for, and what would happen', () => {
    expect(changes.filter(({ action, effect }) => action === undefined || effect === undefined)).toEqual([]);
  });

  test('that can find things as it would make them says so', () => {
    const silent = changes.filter(({ isDone, noChange }) => (isDone === undefined) !== (noChange === undefined));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('is in the samples', () => {
    for (const said of [actionsSaid, proposalsSaid, outcomesSaid]) expect(operationsOf(said)).toEqual(names);
    const canBeDone = changes.filter(({ noChange }) => noChange).map(({ name }) => name);
    expect(operationsOf(noChangesSaid)).toEqual([...canBeDone, ...ofAlerts].toSorted());
  });
});

test('a request to create a user without a name shows no address: it can be posted in a channel', () => {
  const user = { user_name: 'jo.march@quiz.example', first_name: '', last_name: '', user_type: 'respondent' } as const;
  expect(wordsAndNames(actionOf('create-user', user))).toBe('create j…@quiz.example as a respondent');
});

describe('tenses', () => {
  test.each(actionsSaid)('the action of %s is an imperative without a period: %s', (_, sentence) => {
    const [verb = ''] = sentence.split(' ');
    expect(sentence).toMatch(/^[a-z]/);
    expect(sentence).not.toMatch(/[.!?]$/);
    expect(verb).not.toMatch(/(?:ed|ing|s)$/);
    expect(
      [
        'create rename open close copy delete assign unassign change suspend reinstate reset add remove',
        'subscribe unsubscribe pause resume cancel post ask start remind extend excuse include hand take end',
        'send stop erase switch move',
      ].flatMap((line) => line.split(' ')),
    ).toContain(verb);
  });

  test.each(proposalsSaid)('the proposal of %s is in the conditional: %s', (_, sentence) => {
    expect(wordsOf(sentence)).toMatch(/\b(?:would|could)(?:n’t)?\b/);
    expect(wordsOf(sentence)).not.toMatch(/\b(?:is|are|was|were) (?:now|deleted|closed|open|suspended)\b/);
    expect(sentence).toMatch(/^[A-Z\d\u2068].*\.$/);
  });

  test.each(outcomesSaid)('the outcome of %s begins with what was done: %s', (_, sentence) => {
    expect(sentence).toMatch(/^(?:[A-Z][a-z]+(?:ed|ied)|Found|Reset|Took) .*\.$/);
    expect(wordsOf(sentence)).not.toMatch(/\b(?:would|could)\b/);
  });

  test.each(noChangesSaid)('what %s says where nothing changed is in the past tense: %s', (_, sentence) => {
    expect(sentence).toMatch(/ (?:was|wasn’t|were|weren’t|had) .*\. Nothing changed\.$/);
    expect(wordsOf(sentence)).not.toMatch(/\b(?:would|could|is|are)\b/);
  });

  test('no sentence is in two of them', () => {
    const all = [actionsSaid, proposalsSaid, outcomesSaid, noChangesSaid].flatMap((said) => [
      ...new Set(said.map(([, sentence]) => sentence)),
    ]);
    expect(all.filter((sentence, index) => all.indexOf(sentence) !== index)).toEqual([]);
  });
});

test('a name is only ever marked, never in quotation marks', () => {
  const all = [...actionsSaid, ...proposalsSaid, ...outcomesSaid, ...noChangesSaid];
  expect(all.filter(([, sentence]) => /[“”"]/.test(sentence))).toEqual([]);
});

const counted = (counts: Partial<Record<SubmissionOutcome, number>>) =>
  countOutcomes(
    Object.entries(counts).flatMap(([outcome, count]) =>
      Array.from({ length: count }, () => outcome as SubmissionOutcome),
    ),
  );

test.each<[Partial<Record<SubmissionOutcome, number>>, string]>([
  [{}, ''],
  [{ passed: 12, failed: 8 }, '12 passed (60%)'],
  [{ failed: 2 }, '0 passed (0%)'],
  [{ passed: 2_000, failed: 1_000 }, '2,000 passed (66.7%)'],
  [{ passed: 8, failed: 2, unmarked: 2 }, '8 passed (80% of 10 graded), 2 waiting to be marked'],
  [{ passed: 1, 'not graded': 1_500 }, '1 passed (100% of 1 graded), 1,500 not graded'],
  [{ 'not graded': 3 }, 'not graded'],
  [{ unmarked: 3 }, 'waiting to be marked'],
  [{ 'not graded': 3, unmarked: 1 }, '3 not graded, 1 waiting to be marked'],
])('%j are worded “%s”', (counts, words) => {
  expect(passedWords(counted(counts))).toBe(words);
});

test.each([
  ['Rosa Almeida', 'R. A.'],
  ['rosa', 'R.'],
  ['Maria del Carmen López', 'M. L.'],
  ['  Olu \n Adeyemi ', 'O. A.'],
  ['élodie Ångström', 'É. Å.'],
  ['e\u0301lodie A\u030Angstro\u0308m', 'E\u0301. A\u030A.'],
  ['سارة العمري', 'س. ا.'],
  ['𝒜da 李小龙', '𝒜. 李.'],
  ['👩‍🚒 👨‍👩‍👧‍👦', '👩‍🚒. 👨‍👩‍👧‍👦.'],
  ['(Jo) ’t Hooft', 'J. H.'],
  ['Dr. - Weber', 'D. W.'],
  ['\u202Egnp.exe Weber', 'G. W.'],
  ['', 'Guest'],
  ['Guest', 'Guest'],
])('the initials of “%s” are “%s”', (name, initials) => {
  expect(shownName(name, false)).toBe(initials);
});

test('a name is shown unchanged in a channel with names', () => {
  expect(shownName('Rosa\nAlmeida', true)).toBe('Rosa Almeida');
  expect(shownName(' ', true)).toBe('Guest');
  expect(isSaid(shownName('an erased person', false))).toBe(true);
});

test('the initials of any name are short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const shown = shownName(name, false);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.length).toBeLessThanOrEqual(80);
      expect(shown.isWellFormed()).toBe(true);
    }),
    { examples: [[`A${'\u0301'.repeat(10_000)}`], ['x '.repeat(5_000)]] },
  );
});

test('a name in a list and the name of a quiz stay short', () => {
  for (const name of ['&'.repeat(10_000), '👩‍🚒'.repeat(500), '<!channel> '.repeat(50)]) {
    expect(listedName(name, true).length).toBeLessThanOrEqual(60);
    expect(shownQuizName(name).length).toBeLessThanOrEqual(100);
  }
  expect(shownQuizName(' \n ')).toBe('Unnamed quiz');
});
