import { isBlank } from '../../../domain/said.ts';
import type { Answered, KnownQuestion } from '../../../domain/queues.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stored, type Question } from '../../../quiz-api/responses.ts';

/** Item analysis: what the answers to a quiz say of its questions. */

const questionsAtMost = 1_000;
const categoriesAtMost = 5;
/** A digit each. */
const optionsAtMost = 36;
/** In UTF-16 units. */
const longestText = 300;

/** What people type or upload themselves. */
const openTypes: ReadonlySet<string> = new Set(['free_text', 'essay', 'file_upload']);

/** The answers of an attempt as the service has them, beside the questions that are known. */
export function answersOf(known: readonly KnownQuestion[], questions: readonly Question[]): Answered {
  return amongKnown(known, { questions: questions.map(knownOf), answers: questions.map(wordOf).join(' ') });
}

/** The same answers beside the questions that are known, which are the same ones where they say nothing new. */
export function amongKnown(known: readonly KnownQuestion[], { questions, answers }: Answered): Answered {
  const now = [...known];
  const places = new Map(now.map(({ id }, place) => [id, place]));
  let isNew = false;
  const words: (string | undefined)[] = [];
  const answered = answers.split(' ');
  for (const [index, question] of questions.entries()) {
    const place = places.get(question.id) ?? now.length;
    if (place >= questionsAtMost) continue;
    const after = withWordsOf(now[place], question);
    isNew ||= after !== now[place];
    now[place] = after;
    places.set(question.id, place);
    words[place] = answered[index]?.replaceAll(/(?<=^-.*)./g, (chosen) => {
      const option = question.options[Number.parseInt(chosen, optionsAtMost)];
      const at = after.options.findIndex(({ id }) => id === option?.id);
      return at < 0 ? '' : at.toString(optionsAtMost);
    });
  }
  return { questions: isNew ? now : known, answers: Array.from(words, (word) => word ?? '').join(' ') };
}

function knownOf(question: Question): KnownQuestion {
  return {
    id: shortened(question.question_id || question.text),
    version: question.version,
    text: shortened(question.text),
    categories: question.categories.slice(0, categoriesAtMost).map(({ name }) => shortened(name)),
    options: question.options
      .slice(0, optionsAtMost)
      // Options of some accounts have no ID.
      .map((option) => ({
        id: shortened(option.option_id || option.text),
        text: shortened(option.text),
        isRight: option.correct,
      })),
  };
}

/** The same question where the other one says nothing new. */
function withWordsOf(known: KnownQuestion | undefined, other: KnownQuestion): KnownQuestion {
  if (known === undefined) return other;
  const isNew = other.version > known.version;
  const ids = new Set(known.options.map(({ id }) => id));
  const added = other.options.filter(({ id }) => !ids.has(id)).slice(0, optionsAtMost - ids.size);
  if (!isNew && added.length === 0) return known;
  const newest = (id: string) => (isNew ? other.options.find((option) => option.id === id) : undefined);
  return {
    ...(isNew ? other : known),
    options: [...known.options.map((option) => newest(option.id) ?? option), ...added],
  };
}

function shortened(text: string): string {
  return stored(text.slice(0, longestText));
}

function wordOf({ type, options, files, points_scored: scored, points_available: available }: Question): string {
  if (openTypes.has(type) || available <= 0) {
    const isAnswered = files.length > 0 || options.some(({ selected, answer }) => selected || !isBlank(answer));
    return isAnswered ? 'a' : 'n';
  }
  if (scored >= available) return '+';
  const places = options
    .slice(0, optionsAtMost)
    .flatMap(({ selected }, place) => (selected ? [place.toString(optionsAtMost)] : []));
  return `-${places.join('')}`;
}

/** Fewer could tell of a person. */
export const fewestAttempts = 5;
/** Fewer tell nothing of how a question goes with the others. */
const fewestForDiscrimination = 20;

/** What is known of a question. */
export interface QuestionNumbers {
  /** Its place among the known ones, from 1. */
  number: number;
  question: KnownQuestion;
  /** The attempts that have it. */
  asked: number;
  /** Undefined where nobody is right or wrong. */
  right: number | undefined;
  /** Where nobody is right or wrong. */
  answered: number;
  /** The wrong option that was chosen most often. */
  mistake: { text: string; count: number } | undefined;
  /**
   * Whether those who do well otherwise get it right more often, from -1 to 1: the point-biserial correlation of the question with
   * the share of the attempt’s other questions that are right. Undefined below 20 attempts, and where all got it right or wrong.
   */
  discrimination: number | undefined;
}

/** What the answers say of a quiz. Questions that fewer than five attempts have are left out. */
export interface Analysis {
  /** Those that people can get wrong, the hardest first. */
  marked: readonly QuestionNumbers[];
  /** The others, in their order. */
  open: readonly QuestionNumbers[];
  /** How many right answers the marked questions of each category have, the hardest first. */
  categories: readonly { name: string; asked: number; right: number }[];
}

/** Counted in a few milliseconds, also with 200 questions each. */
const countedAtOnce = 200;

/** What the answers of attempts say of the questions, counted with turns for others in between. */
export async function analysisOf(questions: readonly KnownQuestion[], answers: readonly string[]): Promise<Analysis> {
  const tally = createTally(questions);
  for (const [index, one] of answers.entries()) {
    if (index % countedAtOnce === 0) await nextTurn();
    tally.add(one);
  }
  return tally.analysis();
}

/** Counts attempts, one after the other. */
export function createTally(questions: readonly KnownQuestion[]): {
  add(answers: string): void;
  analysis(): Analysis;
} {
  const sums = questions.map(() => ({
    asked: 0,
    right: 0,
    open: 0,
    answered: 0,
    chosen: new Map<string, number>(),
    /** Of the attempts that have other marked questions: how many, how many right ones, and of the shares of the others. */
    others: { count: 0, right: 0, shares: 0, squares: 0, sharesOfRight: 0 },
  }));

  return {
    add(answers) {
      const words = answers.split(' ');
      let marked = 0;
      let rightOnes = 0;
      for (const word of words) {
        if (word === '+') rightOnes += 1;
        if (word === '+' || word.startsWith('-')) marked += 1;
      }
      for (const [place, word] of words.entries()) {
        const sum = sums[place];
        if (sum === undefined || word === '') continue;
        if (word === 'a' || word === 'n') {
          sum.open += 1;
          if (word === 'a') sum.answered += 1;
          continue;
        }
        const isRight = word === '+';
        sum.asked += 1;
        if (isRight) sum.right += 1;
        else for (const digit of word.slice(1)) sum.chosen.set(digit, (sum.chosen.get(digit) ?? 0) + 1);
        if (marked < 2) continue;
        const share = (rightOnes - Number(isRight)) / (marked - 1);
        sum.others.count += 1;
        sum.others.shares += share;
        sum.others.squares += share * share;
        if (!isRight) continue;
        sum.others.right += 1;
        sum.others.sharesOfRight += share;
      }
    },
    analysis() {
      const all = questions.map((question, place): QuestionNumbers => {
        const { asked, right, open, answered, chosen, others } = sums[place]!;
        const isMarked = asked > 0;
        return {
          number: place + 1,
          question,
          asked: isMarked ? asked : open,
          right: isMarked ? right : undefined,
          answered,
          mistake: mistakeAmong(question, chosen),
          discrimination: others.count < fewestForDiscrimination ? undefined : correlationOf(others),
        };
      });
      const shown = all.filter(({ asked }) => asked >= fewestAttempts);
      const marked = shown.filter(({ right }) => right !== undefined).toSorted(hardestFirst);
      return {
        marked,
        open: shown.filter(({ right }) => right === undefined),
        categories: categoriesOf(marked),
      };
    },
  };
}

function mistakeAmong({ options }: KnownQuestion, chosen: ReadonlyMap<string, number>): QuestionNumbers['mistake'] {
  const wrong = options.flatMap(({ text, isRight }, place) => {
    const count = chosen.get(place.toString(optionsAtMost)) ?? 0;
    return isRight || count === 0 || isBlank(text) ? [] : [{ text, count }];
  });
  return wrong.toSorted((a, b) => b.count - a.count)[0];
}

/** Pearson’s correlation, which is called point-biserial where one of the two is right or wrong. */
function correlationOf(sums: { count: number; right: number; shares: number; squares: number; sharesOfRight: number }) {
  const { count, right, shares, squares, sharesOfRight } = sums;
  const spread = (count * right - right * right) * (count * squares - shares * shares);
  return spread < 1e-6 ? undefined : (count * sharesOfRight - right * shares) / Math.sqrt(spread);
}

function hardestFirst(a: QuestionNumbers, b: QuestionNumbers): number {
  return shareOf(a) - shareOf(b) || b.asked - a.asked || a.number - b.number;
}

export function shareOf({ right = 0, asked }: { right: number | undefined; asked: number }): number {
  return right / asked;
}

function categoriesOf(marked: readonly QuestionNumbers[]): Analysis['categories'] {
  const sums = new Map<string, { name: string; asked: number; right: number }>();
  for (const { question, asked, right = 0 } of marked)
    for (const name of new Set(question.categories)) {
      const sum = sums.get(name) ?? { name, asked: 0, right: 0 };
      sums.set(name, { name, asked: sum.asked + asked, right: sum.right + right });
    }
  return [...sums.values()].filter(({ name }) => !isBlank(name)).toSorted((a, b) => shareOf(a) - shareOf(b));
}
