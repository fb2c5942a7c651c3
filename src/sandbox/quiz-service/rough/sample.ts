import { type Database, formatDate } from '../database.ts';
import { addPerson, addSampleQuiz, dayMs, toQuestion } from '../sample/account.ts';
import { addSampleAttempt, beginAttempt, type Taker } from '../sample/attempts.ts';
import { createSeededRandom } from '../sample/seeded-random.ts';
import { choose, right, type SampleQuestion, type SampleQuiz, typeIn, wrong, yesOrNo } from '../sample/quizzes.ts';
import { addGroup, assign } from '../store/quizzes.ts';
import { addQuestion, listQuestions } from '../store/questions.ts';
import { markSubmitted } from '../store/responses.ts';
import { findUser, pageUsers, type UserRecord } from '../store/users.ts';
import { numericFoundId } from './calls.ts';
import type { RecordOddity, Resource } from './changes.ts';
import {
  groupOddities,
  numericUserId,
  questionOddities,
  quizOddities,
  responseOddities,
  userOddities,
} from './records.ts';
import { assignmentKey, type RoughAccount } from './rough-account.ts';

const opinion = (text: string): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 0,
  options: [wrong('Agree'), wrong('Neither'), wrong('Disagree')],
});

const essay = (text: string): SampleQuestion => ({ type: 'essay', text, points: 5 });

/** Has no points, no grades and no pass mark. */
const survey: SampleQuiz = {
  name: 'Team mood, spring',
  status: 'open',
  ageDays: 40,
  settings: { grades: [] },
  questions: [opinion('My shifts are planned well.'), opinion('I know whom to ask.'), opinion('I would recommend us.')],
};

/** Has no grade until somebody marks it. */
const writtenExam: SampleQuiz = {
  name: 'Incident report, written exam',
  status: 'open',
  ageDays: 60,
  settings: { grades: [] },
  questions: [
    essay('Describe the incident in the corridor.'),
    essay('What do you change so that it does not happen again?'),
  ],
};

const htmlQuiz: SampleQuiz = {
  name: '<p>Evacuation &amp; <strong>smoke</strong>&nbsp;drill</p>',
  status: 'open',
  ageDays: 80,
  settings: { pass_mark: 60 },
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
const induction: SampleQuiz = {
  name: 'Site induction',
  status: 'open',
  ageDays: 100,
  settings: { pass_mark: 50, has_certificate: true, has_report: true },
  questions: [
    yesOrNo('Visitors wear a badge.', true),
    yesOrNo('The gate stays open at night.', false),
    choose('Where do you park?', 'In the yard', 'At the ramp', 'On the lawn'),
    typeIn(2, 'Which number do you call in an emergency?', right('112')),
  ],
};

/** Assigned to a group only. */
const closedQuiz: SampleQuiz = {
  name: 'Old site rules',
  status: 'closed',
  ageDays: 700,
  settings: {},
  questions: [yesOrNo('Smoking is allowed in the yard.', false)],
};

/** Gets one question for each oddity of a question or an option. */
const chemistry: SampleQuiz = {
  name: 'Chemicals in the workshop',
  status: 'open',
  ageDays: 90,
  settings: {},
  questions: [],
};

const toolboxTalk = (name: string): SampleQuiz => ({
  name,
  status: 'open',
  ageDays: 30,
  settings: {},
  questions: [yesOrNo('The talk was held before the shift.', true)],
});

const rightOrWrong = (text: string): SampleQuestion => ({
  type: 'radio_button',
  text,
  points: 2,
  options: [wrong('It floats'), right('It sinks'), wrong('It dissolves')],
});

const goodResponses = 30;
const firstNames = [
  'Anneke',
  'Bartosz',
  'Cosima',
  'Dimitri',
  'Enid',
  'Farid',
  'Greta',
  'Hamza',
  'Ilse',
  'Juno',
  'Kofi',
  'Leila',
];
const lastNames = ['Abel', 'Brandt', 'Cruz', 'Dahl', 'Egede', 'Falk', 'Gruber', 'Holm', 'Iqbal', 'Jansen', 'Kaya'];

/**
 * Adds to the sample account what it needs so that every oddity occurs: a record for each, and quizzes that are not
 * graded. The content depends on the seed, and its dates are relative to `nowMs`.
 */
export function addRoughSample(database: Database, rough: RoughAccount, nowMs: number): void {
  const random = createSeededRandom(rough.seed);
  const filling = { database, random, nowMs };
  const occurring = (oddities: readonly RecordOddity[], resource: Resource) =>
    oddities.filter((oddity) => oddity.resource === resource && oddity.reach !== 'sample' && rough.has(oddity));

  /** Draws an id and changes its end until it suits, or until it is clear that none does. */
  function drawId(suits: (id: string) => boolean, limit: number): string {
    const beginning = random.id().slice(0, -8);
    let id = '';
    for (let end = 0; end < limit; end += 1) {
      id = beginning + end.toString(16).padStart(8, '0');
      if (suits(id)) break;
    }
    return id;
  }

  /** An id without an oddity, unless every record is odd. */
  const goodId = (resource: Resource) => drawId((id) => rough.records.dealt(resource, id) === undefined, 1000);

  /** An id to which the oddity is dealt, or none if it needs no dealing. */
  function idFor(oddity: RecordOddity, keyOf = (id: string) => id): string {
    const wanted = oddity.reach === 'dealt' ? oddity : undefined;
    return drawId((id) => rough.records.dealt(oddity.resource, keyOf(id)) === wanted, 100_000);
  }

  let people = 0;
  function nextName() {
    const number = people++;
    return {
      first_name: firstNames[number % firstNames.length] ?? '',
      last_name: lastNames[number % lastNames.length] ?? '',
    };
  }

  const guest = () => {
    const name = nextName();
    return { ...name, email_address: `${name.first_name}.${name.last_name}@visitor.example`.toLowerCase() };
  };

  const addQuiz = (quiz: SampleQuiz, quizId = goodId('quiz')) => {
    addSampleQuiz(filling, quiz, quizId);
    return { quiz, quizId, questions: listQuestions(database, quizId) };
  };
  const startedMs = () => nowMs - Math.ceil(random.number() * 30 * dayMs);
  const addAttempt = (taken: ReturnType<typeof addQuiz>, who: Taker, skill: number) =>
    addSampleAttempt(filling, {
      ...taken,
      who,
      skill,
      startedMs: startedMs(),
      responseId: goodId('response'),
    });

  const respondents = Array.from(pageUsers(database))
    .flat()
    .filter((user) => user.user_type === 'respondent');
  const visitors = { group_id: goodId('group'), group_name: 'Visitors' };
  addGroup(database, visitors);
  const [induced, closed] = [addQuiz(induction), addQuiz(closedQuiz)];
  for (const { quizId } of [induced, closed])
    assign(database, 'group_quizzes', { quiz_id: quizId, group_id: visitors.group_id });

  addOddQuizzesAndGroups();
  addPeople();
  addUngraded();
  addResponses();
  addQuestions();

  function addOddQuizzesAndGroups(): void {
    for (const oddity of occurring(quizOddities, 'quiz')) {
      const name = String(oddity.sample?.['name'] ?? `Toolbox talk: ${oddity.name}`);
      addQuiz(toolboxTalk(name), idFor(oddity));
    }
    for (const oddity of occurring(groupOddities, 'group')) {
      const group_name = String(oddity.sample?.['group_name'] ?? `Crew: ${oddity.name}`);
      addGroup(database, { group_id: idFor(oddity), group_name });
    }
  }

  function addPeople(): void {
    for (const oddity of [...occurring(userOddities, 'user'), ...occurring(userOddities, 'assigned_quiz')]) {
      const keyOf = (id: string) => (oddity.resource === 'user' ? id : assignmentKey(id, induced.quizId));
      const details: Partial<UserRecord> = {
        user_id: idFor(oddity, keyOf),
        notes: `Oddity: ${oddity.name}`,
        ...oddity.sample,
      };
      const user_name = `${oddity.name}@rough.example`;
      const user = addPerson(filling, { user_name, ...nextName(), ...details, email_address: user_name });
      assign(database, 'user_groups', { user_id: user.user_id, group_id: visitors.group_id });
      assign(database, 'user_quizzes', {
        user_id: user.user_id,
        quiz_id: induced.quizId,
        date_assigned: formatDate(startedMs()),
      });
      if (user.user_type !== 'trainer') continue;
      for (const { quizId } of [induced, closed])
        assign(database, 'trainer_quizzes', { user_id: user.user_id, quiz_id: quizId });
      assign(database, 'trainer_groups', { user_id: user.user_id, group_id: visitors.group_id });
    }
    if (rough.has(numericFoundId)) personWithNumber();
    const byGroupOnly = {
      user_name: 'gina@rough.example',
      first_name: 'Gina',
      last_name: 'Visitor',
      user_id: goodId('user'),
    };
    assign(database, 'user_groups', {
      user_id: addPerson(filling, byGroupOnly).user_id,
      group_id: visitors.group_id,
    });
  }

  /** The user whose id the rough face sends as a number. */
  function personWithNumber(): UserRecord {
    const found = findUser(database, numericUserId);
    const details = { user_name: `${numericUserId}@rough.example`, ...nextName(), user_id: numericUserId };
    return found ?? addPerson(filling, details);
  }

  function addUngraded(): void {
    for (const ungraded of [survey, writtenExam, htmlQuiz].map((quiz) => addQuiz(quiz))) {
      assign(database, 'group_quizzes', { quiz_id: ungraded.quizId, group_id: visitors.group_id });
      for (const who of [...respondents.slice(0, 4), guest(), guest()]) {
        const responseId = goodId('response');
        addSampleAttempt(filling, { ...ungraded, who, skill: 0.6, startedMs: startedMs(), responseId });
      }
    }
    const marked = addQuiz({ ...writtenExam, name: 'Handover, written exam' });
    const responseId = goodId('response');
    addSampleAttempt(filling, { ...marked, who: guest(), skill: 1, startedMs: startedMs(), responseId });
    const score = { points: 8.5, available_points: 10, percentage_score: 85, grade: 'A', pass: true };
    markSubmitted(database, responseId, { ...score, date_submitted: formatDate(startedMs()), duration: 1260 });
  }

  function addResponses(): void {
    for (const oddity of occurring(responseOddities, 'response')) {
      const who = oddity.sample?.['user_id'] === undefined ? guest() : personWithNumber();
      const attempt = { ...induced, who, skill: 0.7, startedMs: startedMs(), responseId: idFor(oddity) };
      if (oddity.sample?.['status'] === 'not_submitted') beginAttempt(filling, attempt);
      else addSampleAttempt(filling, attempt);
    }
    for (let i = 0; i < goodResponses; i += 1) addAttempt(induced, guest(), 0.7);
    for (const skill of [0, 0.5, 1])
      addAttempt(induced, { first_name: 'Alex', last_name: '', email_address: '' }, skill);
  }

  function addQuestions(): void {
    const { quizId, quiz } = addQuiz(chemistry);
    const ask = (name: string) => toQuestion(rightOrWrong(`What happens to the powder? (${name})`), '', random);
    for (const oddity of occurring(questionOddities, 'question')) {
      addQuestion(database, quizId, { ...ask(oddity.name), question_id: idFor(oddity) });
    }
    for (const oddity of occurring(questionOddities, 'option')) {
      const question = ask(oddity.name);
      const options = question.options.map((option, i) => ({
        ...option,
        option_id: i === 0 ? idFor(oddity) : option.option_id,
      }));
      addQuestion(database, quizId, { ...question, options });
    }
    addQuestion(database, quizId, { ...ask('none'), question_id: goodId('question') });
    const questions = listQuestions(database, quizId);
    for (const who of respondents.slice(0, 3)) addAttempt({ quizId, quiz, questions }, who, 0.8);
  }
}
