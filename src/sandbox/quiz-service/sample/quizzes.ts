import type { QuizSettings, QuizStatus } from '../store/quizzes.ts';
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
const worth = (points: number, text: string): SampleOption => ({ text, correct: points > 0, points });

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

const asking =
  (type: QuestionType, more: Partial<SampleQuestion> = {}) =>
  (points: number, text: string, ...options: SampleOption[]): SampleQuestion => ({
    type,
    text,
    points,
    options,
    ...more,
  });

/** A question with several right answers and partial credit. */
export const several = asking('checkbox', { hasPartialCredit: true });

/** A question with a dropdown. */
const pickFrom = asking('dropdown');

/** A question with a typed answer that matches any of the accepted texts. */
export const typeIn = asking('free_text');

/** A question whose options differ in points. */
const weigh = asking('radio_button');

/** Assigns each question to a category. */
const about = (categories: readonly string[], ...questions: SampleQuestion[]): SampleQuestion[] =>
  questions.map((question, index) => ({ ...question, category: categories[index]! }));

export interface SampleQuiz {
  name: string;
  status: QuizStatus;
  ageDays: number;
  settings: Partial<QuizSettings>;
  questions: SampleQuestion[];
}

export const sampleQuizzes: readonly SampleQuiz[] = [
  {
    name: 'Workplace safety basics',
    status: 'open',
    ageDays: 320,
    settings: { pass_mark: 70, has_certificate: true, has_report: true },
    questions: about(
      ['Hazards', 'Machines', 'Equipment', 'Lifting', 'Signs', 'Emergencies', 'Hazards'],
      choose(
        'You find a spill in a walkway. What do you do first?',
        'Keep people away from it',
        'Walk around it',
        'Fetch a mop',
        'Write a report',
      ),
      choose(
        'Who may switch off a lock-out tag?',
        'Only the person who placed it',
        'Any supervisor',
        'Whoever needs the machine',
      ),
      several(
        3,
        'Which of these belong to personal protective equipment?',
        right('Safety shoes'),
        wrong('A fire extinguisher'),
        right('Ear defenders'),
        right('Safety glasses'),
        wrong('A warning sign'),
      ),
      choose(
        'How do you lift a heavy box?',
        'Bend your knees, keep your back straight',
        'Bend your back, keep your knees straight',
        'As fast as possible',
      ),
      pickFrom(
        1,
        'Which colour have signs that must be obeyed?',
        wrong('Green'),
        right('Blue'),
        wrong('Yellow'),
        wrong('Red'),
      ),
      typeIn(1, 'What is the European emergency number?', right('112')),
      yesOrNo('A near miss has to be reported although nobody was hurt.', true),
    ),
  },
  {
    name: 'Food hygiene, level 2',
    status: 'open',
    ageDays: 250,
    settings: { pass_mark: 75, attempts_limit: 3, has_certificate: true },
    questions: [
      choose(
        'Between which temperatures do bacteria grow fastest?',
        '8 °C and 63 °C',
        '−18 °C and 0 °C',
        '63 °C and 90 °C',
      ),
      choose('Where does raw chicken belong in a fridge?', 'On the lowest shelf', 'On the top shelf', 'In the door'),
      several(
        2,
        'When must you wash your hands?',
        right('After touching raw meat'),
        right('After handling waste'),
        right('Before starting work'),
        wrong('Only when they look dirty'),
      ),
      typeIn(
        1,
        'Which temperature in °C must the core of reheated food reach?',
        right('75'),
        right('75 °C'),
        right('75°C'),
      ),
      yesOrNo('Food past its use-by date may be served when it smells fine.', false),
      choose(
        'A colleague has been sick in the night. How long must they stay away from food?',
        '48 hours after the last symptom',
        'Until the end of the shift',
        'One hour',
      ),
    ],
  },
  {
    name: 'Data protection refresher',
    status: 'open',
    ageDays: 180,
    settings: { pass_mark: 60, registration_fields: ['Department', 'Employee number'], has_report: true },
    questions: [
      choose(
        'A customer asks which data we hold about them. How long do we have to answer?',
        'One month',
        'One year',
        'There is no limit',
      ),
      several(
        3,
        'Which of these are personal data?',
        right('An e-mail address with a name in it'),
        right('A photo of a face'),
        wrong('The number of visitors a day'),
        right('A licence plate'),
      ),
      yesOrNo('A lost laptop with an encrypted disk must be reported.', true),
      choose(
        'Where do you keep a list of participants?',
        'In the system made for it',
        'On a USB stick',
        'In your private mail',
      ),
      {
        type: 'essay',
        text: 'Describe in a few sentences what you do when you have sent an e-mail to the wrong person.',
        points: 0,
      },
    ],
  },
  {
    name: 'Onboarding, week 1',
    status: 'open',
    ageDays: 120,
    settings: { pass_mark: 50, access_code: 'WELCOME-26' },
    questions: [
      weigh(
        3,
        'A visitor without a badge stands in the corridor. What do you do?',
        worth(3, 'Ask who they visit and take them there'),
        worth(1, 'Tell reception'),
        worth(0, 'Nothing'),
        worth(-1, 'Let them into the office'),
      ),
      weigh(
        2,
        'You cannot finish a task in time. When do you say so?',
        worth(2, 'As soon as I notice'),
        worth(1, 'On the day before'),
        worth(0, 'When it is over'),
      ),
      choose('Where do you find the shift plan?', 'On the intranet', 'At the front door', 'Nowhere'),
      { type: 'file_upload', text: 'Upload your signed code of conduct.', points: 0 },
    ],
  },
  {
    name: 'Forklift theory test',
    status: 'closed',
    ageDays: 400,
    settings: { pass_mark: 80, attempts_limit: 2, has_certificate: true },
    questions: [
      choose(
        'What do you check before each shift?',
        'Brakes, steering, forks and horn',
        'The colour of the paint',
        'Nothing, the workshop does',
      ),
      choose('How do you drive down a ramp with a load?', 'Backwards', 'Forwards', 'Sideways'),
      yesOrNo('A colleague may ride along on the forks for a short way.', false),
      choose(
        'How high are the forks while you drive?',
        'About 15 cm above the ground',
        'As high as they go',
        'At eye level',
      ),
      pickFrom(
        1,
        'Who may drive a forklift?',
        wrong('Everybody with a car licence'),
        right('Who was trained and appointed'),
        wrong('Whoever is there'),
      ),
    ],
  },
  {
    name: 'Fire wardens, spring course',
    status: 'closed',
    ageDays: 210,
    settings: { pass_mark: 60 },
    questions: [
      choose('Which extinguisher do you use on burning fat?', 'Wet chemical', 'Water', 'Powder'),
      choose(
        'What does a warden do first when the alarm sounds?',
        'Send people out of their area',
        'Look for the fire',
        'Call the manager',
      ),
      yesOrNo('Lifts may be used during an evacuation.', false),
      several(3, 'What feeds a fire?', right('Fuel'), right('Oxygen'), right('Heat'), wrong('Nitrogen')),
    ],
  },
  {
    name: 'First aid at work',
    status: 'in_design',
    ageDays: 12,
    settings: { pass_mark: 70, has_certificate: true },
    questions: [
      choose('How many chest compressions come before two breaths?', '30', '5', '60'),
      yesOrNo('A helper looks after their own safety first.', true),
    ],
  },
  { name: 'Customer service essentials', status: 'in_design', ageDays: 3, settings: {}, questions: [] },
];

/** Wrong answers that many people believe in: who gets such a question wrong chooses them. */
const believed: ReadonlySet<string> = new Set(['Fetch a mop', 'Water']);

/** The wrong answer to a question that many people believe in. */
export const misconceptionAmong = <Option extends { text: string }>(options: readonly Option[]): Option | undefined =>
  options.find(({ text }) => believed.has(text));
