import type { QuestionType } from '../taking/scoring.ts';

export interface SampleQuestion {
  type: QuestionType;
  text: string;
  points: number;
  category?: string;
  options?: SampleOption[];
  hasPartialCredit?: boolean;
}

interface SampleOption {
  text: string;
  correct: boolean;
  points?: number;
}

export const right = (text: string): SampleOption => ({ text, correct: true });
export const wrong = (text: string): SampleOption => ({ text, correct: false });
/** An option with points of its own. */
export const worth = (points: number, text: string): SampleOption => ({ text, correct: points > 0, points });

/** A question with one right answer, which comes second. */
export const choose = (text: string, answer: string, ...others: string[]): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 1,
  options: [wrong(others[0] ?? ''), right(answer), ...others.slice(1).map(wrong)],
});

/** A question with the options True and False. */
export const yesOrNo = (text: string, isTrue: boolean): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 1,
  options: isTrue ? [right('True'), wrong('False')] : [wrong('True'), right('False')],
});

/** A question with several right answers and partial credit. */
export const several = (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
  type: 'checkbox',
  text,
  points,
  options,
  hasPartialCredit: true,
});

/** A question with a dropdown. */
export const pickFrom = (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
  type: 'dropdown',
  text,
  points,
  options,
});

/** A question with a typed answer that matches any of the accepted texts. */
export const typeIn = (points: number, text: string, ...accepted: SampleOption[]): SampleQuestion => ({
  type: 'free_text',
  text,
  points,
  options: accepted,
});

/** A question whose options differ in points. */
export const weigh = (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
  type: 'radio_button',
  text,
  points,
  options,
});

/** Assigns a question to a category. */
export const about = (category: string, question: SampleQuestion): SampleQuestion => ({ ...question, category });
