import type { QuestionType } from '../taking/scoring.ts';

export interface SampleQuestion {
  type: QuestionType;
  text: string;
  points: number;
  category?: string;
  options?: SampleOption[];
  hasPartialCredit?: boolean;
}

export interface SampleOption {
  text: string;
  correct: boolean;
  points?: number;
}

export const right = (text: string): SampleOption => ({ text, correct: true });
export const wrong = (text: string): SampleOption => ({ text, correct: false });
/** An option with its own points. */
export const worth = (points: number, text: string): SampleOption => ({ text, correct: points > 0, points });

/** One right answer among others; it stands second. */
export const choose = (text: string, answer: string, ...others: string[]): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 1,
  options: [wrong(others[0] ?? ''), right(answer), ...others.slice(1).map(wrong)],
});

export const yesOrNo = (text: string, isTrue: boolean): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 1,
  options: isTrue ? [right('True'), wrong('False')] : [wrong('True'), right('False')],
});

/** Several right answers, each of which earns its part. */
export const several = (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
  type: 'checkbox',
  text,
  points,
  options,
  hasPartialCredit: true,
});

export const pickFrom = (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
  type: 'dropdown',
  text,
  points,
  options,
});

/** An answer to type in: any of the accepted ones. */
export const typeIn = (points: number, text: string, ...accepted: SampleOption[]): SampleQuestion => ({
  type: 'free_text',
  text,
  points,
  options: accepted,
});

/** One answer, each of which is worth something else. */
export const weigh = (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
  type: 'radio_button',
  text,
  points,
  options,
});

export const about = (category: string, question: SampleQuestion): SampleQuestion => ({ ...question, category });
