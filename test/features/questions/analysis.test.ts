import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KnownQuestion } from '../../../src/domain/queues.ts';
import { answersOf, createTally, type Analysis } from '../../../src/features/questions/operations/analysis.ts';
import type { Question } from '../../../src/quiz-api/responses.ts';
import { answeredOption, answeredQuestion } from '../../support/builders/responses.ts';

const letters = ['A', 'B', 'C', 'D'];

/** A question with four options, of which the first is right. @param chosen their places; empty: left out */
function choice(id: string, chosen: readonly number[], overrides: Partial<Question> = {}): Question {
  return answeredQuestion({
    question_id: id,
    text: `What is ${id}?`,
    points_scored: chosen.length === 1 && chosen[0] === 0 ? 1 : 0,
    categories: [],
    options: letters.map((letter, place) =>
      answeredOption({
        option_id: `${id}-${letter}`,
        text: `${letter} of ${id}`,
        correct: place === 0,
        selected: chosen.includes(place),
      }),
    ),
    ...overrides,
  });
}

function analysed(attempts: readonly (readonly Question[])[]): Analysis {
  let known: readonly KnownQuestion[] = [];
  const kept = attempts.map((questions) => {
    const next = answersOf(known, questions);
    known = next.questions;
    return next.answers;
  });
  const tally = createTally(known);
  for (const answers of kept) tally.add(answers);
  return tally.analysis();
}

/** No correlation. */
const unknown = 9;
const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const numbersOf = ({ marked }: Analysis, id: string) => marked.find(({ question }) => question.id === id);

/** Attempts in which each digit is a question: 1 right, 0 wrong. */
const answered = (pattern: string): Question[] =>
  Array.from(pattern, (digit, place) => choice(`q${place + 1}`, digit === '1' ? [0] : [1]));

describe('the answers of an attempt, as they are kept', () => {
  test.each<[string, Question[], string]>([
    ['right', [choice('q1', [0])], '+'],
    ['wrong', [choice('q1', [2])], '-2'],
    ['left out', [choice('q1', [])], '-'],
    ['right in part', [choice('q1', [0, 3], { points_scored: 0.5 })], '-03'],
    ['typed', [choice('q1', [0], { type: 'free_text' })], 'a'],
    [
      'typed, without an accepted text',
      [choice('q1', [], { type: 'essay', options: [answeredOption({ answer: 'I run.' })] })],
      'a',
    ],
    ['not typed', [choice('q1', [], { type: 'essay', options: [answeredOption({ answer: ' ' })] })], 'n'],
    [
      'uploaded',
      [choice('q1', [], { type: 'file_upload', options: [], files: [{ file_id: 'f', name: 'a.pdf' }] })],
      'a',
    ],
    ['not uploaded', [choice('q1', [], { type: 'file_upload', options: [] })], 'n'],
    ['without points, as in a survey', [choice('q1', [3], { points_available: 0 })], 'a'],
    ['several questions', [choice('q1', [0]), choice('q2', [1]), choice('q3', [])], '+ -1 -'],
  ])('%s', (_, questions, answers) => {
    expect(answersOf([], questions).answers).toBe(answers);
  });

  test('have no word for a question that the attempt hasn’t, and keep the places of those that are known', () => {
    const first = answersOf([], [choice('q1', [0]), choice('q2', [1])]);
    const second = answersOf(first.questions, [choice('q3', [2]), choice('q2', [0])]);
    expect(second.answers).toBe(' + -2');
    expect(second.questions.map(({ id }) => id)).toEqual(['q1', 'q2', 'q3']);
  });

  test('have the words of the latest version, and count by the option', () => {
    const old = choice('q1', [1]);
    const renamed = choice('q1', [1], { version: 9, text: 'What is it now?' });
    renamed.options.reverse();
    renamed.options.push(answeredOption({ option_id: 'new', text: 'None of these', correct: false, selected: true }));
    const first = answersOf([], [renamed]);
    expect(first.answers).toBe('-24');
    const second = answersOf(first.questions, [old]);
    expect(second.answers).toBe('-2');
    expect(second.questions[0]).toMatchObject({ version: 9, text: 'What is it now?' });
    expect(answersOf(answersOf([], [old]).questions, [renamed]).questions[0]).toMatchObject({
      text: 'What is it now?',
      options: [{ id: 'q1-A' }, { id: 'q1-B' }, { id: 'q1-C' }, { id: 'q1-D' }, { id: 'new' }],
    });
  });

  test('hold nothing that was typed or uploaded, and no text of any length', () => {
    const typed = answeredOption({ text: '', answer: 'Rosa’s secret' });
    const { answers, questions } = answersOf(
      [],
      [
        choice('q1', [], { type: 'essay', text: 'x'.repeat(5_000), options: [typed] }),
        choice('q2', [], { type: 'file_upload', options: [], files: [{ file_id: 'f', name: 'rosa.pdf' }] }),
      ],
    );
    expect(answers).toBe('a a');
    expect(JSON.stringify(questions)).not.toMatch(/secret|rosa/);
    expect(questions[0]?.text).toHaveLength(300);
  });
});

describe('item analysis', () => {
  test('has the hardest questions first, with the wrong option that most chose', () => {
    const attempts = [
      ...times(3, [choice('q1', [0]), choice('q2', [1]), choice('q3', [0])]),
      ...times(2, [choice('q1', [3]), choice('q2', [2]), choice('q3', [0])]),
      [choice('q1', [0]), choice('q2', [0]), choice('q3', [0])],
    ];
    const { marked } = analysed(attempts);
    expect(
      marked.map(({ number, asked, right, mistake }) => ({ number, asked, right, mistake: mistake && { ...mistake } })),
    ).toEqual([
      { number: 2, asked: 6, right: 1, mistake: { text: 'B of q2', count: 3 } },
      { number: 1, asked: 6, right: 4, mistake: { text: 'D of q1', count: 2 } },
      { number: 3, asked: 6, right: 6, mistake: undefined },
    ]);
  });

  test('sums the answers up by category', () => {
    const of = (name: string) => ({ categories: [{ category_id: name, name }] });
    const attempts = [
      ...times(4, [choice('q1', [0], of('Fire')), choice('q2', [0], of('Fire')), choice('q3', [1], of('Gas'))]),
      ...times(4, [choice('q1', [1], of('Fire')), choice('q2', [0], of('Fire')), choice('q3', [1], of('Gas'))]),
    ];
    expect(analysed(attempts).categories).toEqual([
      { name: 'Gas', asked: 8, right: 0 },
      { name: 'Fire', asked: 16, right: 12 },
    ]);
  });
});

/**
 * Worked by hand, as in textbooks of test theory (Crocker and Algina, *Introduction to Classical and Modern Test Theory*, chapter
 * 14): r = (mean of those who got it right − mean of those who got it wrong) / standard deviation · √(p·q), over the number of
 * other questions that are right.
 */
describe('discrimination', () => {
  /**
   * | q1–q4 | 1111 | 0000 | 1110 | 0001 | 1101 | 0010 | 1011 | 0100 |
   * | people | 6 | 6 | 2 | 2 | 1 | 1 | 1 | 1 |
   *
   * Of q1: ten got it right, with 6·3 + 4·2 = 26 others right, mean 2.6; ten got it wrong, with 4·1, mean 0.4. All others: mean
   * 1.5, variance (6·2.25 + 4·0.25 + 4·0.25 + 6·2.25) / 20 = 1.45. r = 2.2 / √1.45 · 0.5 = 0.9135.
   */
  const table = [
    ...times(6, answered('1111')),
    ...times(6, answered('0000')),
    ...times(2, answered('1110')),
    ...times(2, answered('0001')),
    ...['1101', '0010', '1011', '0100'].map(answered),
  ];

  test('of a question that those get right who know the rest', () => {
    expect(numbersOf(analysed(table), 'q1')?.discrimination).toBeCloseTo(0.9135, 4);
  });
});

const questionIn = (place: number) =>
  fc.option(
    fc.oneof(
      fc.integer({ min: -1, max: 3 }).map((chosen) => choice(`q${place}`, chosen < 0 ? [] : [chosen])),
      fc
        .boolean()
        .map((isAnswered) =>
          choice(`q${place}`, [], { type: 'essay', options: [answeredOption({ answer: isAnswered ? 'x' : '' })] }),
        ),
    ),
    { nil: undefined, freq: 6 },
  );
const someAttempts = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.array(
    fc
      .tuple(...Array.from({ length: count }, (_, place) => questionIn(place)))
      .map((questions) => questions.filter((question) => question !== undefined)),
    // As many as tell how a question goes with the others.
    { maxLength: 60, size: 'max' },
  ),
);

const isMarked = ({ type }: Question) => type !== 'essay';
const isRight = ({ points_scored: scored, points_available: available }: Question) => scored >= available;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** By the other formula of the point-biserial correlation, from the answers themselves. */
function expectedDiscrimination(attempts: readonly (readonly Question[])[], id: string): number | undefined {
  const pairs = attempts.flatMap((questions) => {
    const markedOnes = questions.filter(isMarked);
    const own = markedOnes.find(({ question_id: one }) => one === id);
    const others = markedOnes.filter((question) => question !== own);
    return own && others.length > 0
      ? [{ isRight: isRight(own), share: others.filter(isRight).length / others.length }]
      : [];
  });
  const [right, wrong] = [pairs.filter((one) => one.isRight), pairs.filter((one) => !one.isRight)];
  const all = mean(pairs.map(({ share }) => share));
  const deviation = Math.sqrt(mean(pairs.map(({ share }) => (share - all) ** 2)));
  if (pairs.length < 20 || right.length === 0 || wrong.length === 0 || deviation < 1e-9) return undefined;
  const [p, q] = [right.length / pairs.length, wrong.length / pairs.length];
  return (
    ((mean(right.map(({ share }) => share)) - mean(wrong.map(({ share }) => share))) / deviation) * Math.sqrt(p * q)
  );
}

test('the numbers of any attempts are those of their answers, in whatever order they come', () => {
  fc.assert(
    fc.property(someAttempts, fc.integer({ min: 0, max: 40 }), (attempts, turn) => {
      const { marked, open } = analysed([...attempts.slice(turn), ...attempts.slice(0, turn)]);
      for (const { question, asked, right, answered: answers, mistake, discrimination } of [...marked, ...open]) {
        const own = attempts.flatMap((questions) => questions.filter(({ question_id: id }) => id === question.id));
        const markedOnes = own.filter(isMarked);
        expect(asked).toBe(markedOnes.length > 0 ? markedOnes.length : own.length);
        expect(right).toBe(markedOnes.length > 0 ? markedOnes.filter(isRight).length : undefined);
        expect(answers).toBe(own.filter((one) => !isMarked(one) && one.options[0]?.answer !== '').length);
        const chosen = letters
          .slice(1)
          .map(
            (letter) =>
              markedOnes.filter(({ options }) =>
                options.some(({ text, selected }) => selected && text.startsWith(letter)),
              ).length,
          );
        expect(mistake?.count ?? 0).toBe(Math.max(0, ...chosen));
        expect(discrimination ?? unknown).toBeCloseTo(expectedDiscrimination(attempts, question.id) ?? unknown, 8);
      }
      const withQuestion = Map.groupBy(attempts.flat(), ({ question_id: id }) => id);
      const shown = [...marked, ...open].map(({ question }) => question.id).toSorted();
      const expected = [...withQuestion]
        .filter(([, own]) => (own.some(isMarked) ? own.filter(isMarked).length : own.length) >= 5)
        .map(([id]) => id);
      expect(shown).toEqual(expected.toSorted());
    }),
  );
});
