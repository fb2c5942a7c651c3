import { choose, right, type SampleQuestion, typeIn, wrong, yesOrNo } from '../sample/questions.ts';
import type { SampleQuiz } from '../sample/quizzes.ts';

const opinion = (text: string): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 0,
  options: [wrong('Agree'), wrong('Neither'), wrong('Disagree')],
});

const essay = (text: string): SampleQuestion => ({ type: 'essay', text, points: 5 });

/** Has no points, no grades and no pass mark. */
export const survey: SampleQuiz = {
  name: 'Team mood, spring',
  status: 'open',
  ageDays: 40,
  settings: { grades: [] },
  questions: [opinion('My shifts are planned well.'), opinion('I know whom to ask.'), opinion('I would recommend us.')],
};

/** Has no grade until somebody marks it. */
export const writtenExam: SampleQuiz = {
  name: 'Incident report, written exam',
  status: 'open',
  ageDays: 60,
  settings: { grades: [] },
  questions: [
    essay('Describe the incident in the corridor.'),
    essay('What do you change so that it does not happen again?'),
  ],
};

export const htmlQuiz: SampleQuiz = {
  name: '<p>Evacuation &amp; <strong>smoke</strong>&nbsp;drill</p>',
  status: 'open',
  ageDays: 80,
  settings: { passMark: 60 },
  questions: [
    choose(
      '<p>Which <strong>gas</strong> do you not smell?</p>',
      '<p>Carbon&nbsp;monoxide, <strong>CO</strong></p>',
      '<p>Ammonia</p>',
    ),
    choose('At&nbsp;what temperature does a sprinkler open?<br>', '68&nbsp;°C', '30&nbsp;°C'),
    choose(
      '<p>What does this sign mean?</p><img src="https://images.quiz.example/sign-17.png" alt="A running person and a door">',
      '<img src="https://images.quiz.example/exit.png">',
      '<img src="https://images.quiz.example/lift.png">',
    ),
    choose(
      '<p>How much agent is left after half the time? <math><mi>m</mi><mo>=</mo><mfrac><mn>12</mn><mn>2</mn></mfrac></math></p>',
      '\\(6\\,\\mathrm{kg}\\)',
      '\\(\\frac{12}{4}\\,\\mathrm{kg}\\)',
    ),
  ],
};

/** Has one response for each oddity of a response. */
export const induction: SampleQuiz = {
  name: 'Site induction',
  status: 'open',
  ageDays: 100,
  settings: { passMark: 50, hasCertificate: true, hasReport: true },
  questions: [
    yesOrNo('Visitors wear a badge.', true),
    yesOrNo('The gate stays open at night.', false),
    choose('Where do you park?', 'In the yard', 'At the ramp', 'On the lawn'),
    typeIn(2, 'Which number do you call in an emergency?', right('112')),
  ],
};

/** Assigned to a group only. */
export const closedQuiz: SampleQuiz = {
  name: 'Old site rules',
  status: 'closed',
  ageDays: 700,
  settings: {},
  questions: [yesOrNo('Smoking is allowed in the yard.', false)],
};

/** Gets one question for each oddity of a question or an option. */
export const chemistry: SampleQuiz = {
  name: 'Chemicals in the workshop',
  status: 'open',
  ageDays: 90,
  settings: {},
  questions: [],
};

export const toolboxTalk = (name: string): SampleQuiz => ({
  name,
  status: 'open',
  ageDays: 30,
  settings: {},
  questions: [yesOrNo('The talk was held before the shift.', true)],
});

export const rightOrWrong = (text: string): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 2,
  options: [wrong('It floats'), right('It sinks'), wrong('It dissolves')],
});
