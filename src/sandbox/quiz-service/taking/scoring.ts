export const questionTypes = ['radio_button', 'checkbox', 'dropdown', 'free_text', 'essay', 'file_upload'] as const;

export type QuestionType = (typeof questionTypes)[number];

export interface Option {
  option_id: string;
  version: number;
  text: string;
  correct: boolean;
  points: number;
}

export interface Question {
  question_id: string;
  type: QuestionType;
  version: number;
  text: string;
  /** Options have points of their own. Wrong options can deduct points. */
  use_option_points: boolean;
  /** A checkbox question gives a share of the points for a share of the right options. */
  has_partial_credit: boolean;
  points_available: number;
  options: Option[];
  categories: { category_id: string; name: string }[];
}

export interface GivenAnswer {
  selectedOptionIds: readonly string[];
  text: string;
}

export interface GradeBand {
  grade: string;
  /** The lowest percentage of the band. */
  from: number;
}

export interface Score {
  points: number;
  available_points: number;
  percentage_score: number;
  grade: string;
  pass: boolean;
}

/** Scores an answer: 0 to the available points, rounded to hundredths. */
export function scoreAnswer(question: Question, answer: GivenAnswer): number {
  return roundPoints(Math.min(question.points_available, Math.max(0, rawPoints(question, answer))));
}

function rawPoints(question: Question, answer: GivenAnswer): number {
  const { options, points_available: available } = question;
  switch (question.type) {
    case 'radio_button':
    case 'dropdown':
    case 'checkbox': {
      const selected = options.filter((option) => answer.selectedOptionIds.includes(option.option_id));
      if (question.use_option_points) return sum(selected.map((option) => option.points));
      const correctCount = options.filter((option) => option.correct).length;
      const right = selected.filter((option) => option.correct).length;
      const wrong = selected.length - right;
      if (question.has_partial_credit && correctCount > 0) return (available * (right - wrong)) / correctCount;
      return right === correctCount && wrong === 0 && right > 0 ? available : 0;
    }
    case 'free_text': {
      return options.some((option) => option.correct && isSameText(option.text, answer.text)) ? available : 0;
    }
    default:
      // Essays and files need a person to score them, and the REST interface has no operation for that.
      return 0;
  }
}

/** Compares a typed answer with an accepted text. Ignores case and spaces. */
export function isSameText(left: string, right: string): boolean {
  return fold(left) === fold(right);
}

/** @param passMark percent */
export function totalScore(
  scored: readonly { available: number; points: number }[],
  grades: readonly GradeBand[],
  passMark: number,
): Score {
  const points = roundPoints(sum(scored.map((item) => item.points)));
  const available = roundPoints(sum(scored.map((item) => item.available)));
  const percentage = available === 0 ? 0 : Math.round((100 * points) / available);
  return {
    points,
    available_points: available,
    percentage_score: percentage,
    grade: gradeFor(percentage, grades),
    pass: percentage >= passMark,
  };
}

/** The highest band that the percentage reaches, or an empty grade. */
export function gradeFor(percentage: number, grades: readonly GradeBand[]): string {
  const reached = grades.filter((band) => percentage >= band.from);
  return reached.toSorted((a, b) => b.from - a.from)[0]?.grade ?? '';
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function roundPoints(points: number): number {
  return Math.round(points * 100) / 100;
}
