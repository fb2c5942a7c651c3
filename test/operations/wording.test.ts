import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { partsOfSentence } from '../../src/domain/sentence.ts';
import {
  actionOf,
  actionsSaid,
  noChangesSaid,
  outcomesSaid,
  proposalsSaid,
  type Worded,
} from '../support/builders/changes.ts';

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
    expect([
      'create',
      'rename',
      'open',
      'close',
      'copy',
      'delete',
      'assign',
      'unassign',
      'change',
      'suspend',
      'reinstate',
      'reset',
      'add',
      'remove',
      'subscribe',
      'unsubscribe',
      'pause',
      'resume',
      'cancel',
      'post',
      'ask',
      'start',
      'remind',
      'extend',
      'excuse',
      'include',
      'hand',
      'take',
      'end',
      'send',
      'stop',
      'erase',
      'switch',
    ]).toContain(verb);
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
