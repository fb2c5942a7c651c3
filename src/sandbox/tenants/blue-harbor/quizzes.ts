import { choose, right, several, typeIn, wrong, yesOrNo } from '../../quiz-service/sample/questions.ts';
import type { SampleQuiz } from '../../quiz-service/sample/quizzes.ts';

/** The quizzes of Blue Harbor Hotels. */
export const quizzes: readonly SampleQuiz[] = [
  {
    name: 'Fire drill for guest floors',
    status: 'open',
    ageDays: 280,
    settings: { passMark: 70, hasCertificate: true, hasReport: true },
    questions: [
      choose(
        'The alarm sounds while you clean a room. What do you do first?',
        'Leave, and close the door behind you',
        'Finish the bed',
        'Call the front desk',
      ),
      yesOrNo('Guests may take the lift during an evacuation.', false),
      several(
        2,
        'What do you check on a guest floor each day?',
        right('Escape routes are clear'),
        right('Fire doors close'),
        wrong('The minibar is locked'),
      ),
      typeIn(1, 'At which meeting point do guests gather? Its letter is on the plan in each room.', right('B')),
    ],
  },
  {
    name: 'Allergens at breakfast',
    status: 'open',
    ageDays: 160,
    settings: { passMark: 80, attemptsLimit: 3 },
    questions: [
      several(
        3,
        'Which of these must be named on the buffet?',
        right('Nuts'),
        right('Milk'),
        right('Sesame'),
        wrong('Sugar'),
      ),
      choose(
        'A guest asks whether the granola has nuts, and you are not sure. What do you say?',
        'That you will ask the kitchen',
        'That it has none',
        'That they should try it',
      ),
    ],
  },
  {
    name: 'Guest privacy',
    status: 'open',
    ageDays: 90,
    settings: { passMark: 60 },
    questions: [
      choose(
        'A caller asks for the room number of a guest. What do you do?',
        'Connect the call without naming the room',
        'Name the room',
        'Hang up',
      ),
      yesOrNo('A lost key card is blocked at once.', true),
    ],
  },
  {
    name: 'Pool rescue, last season',
    status: 'closed',
    ageDays: 330,
    settings: { passMark: 80, hasCertificate: true },
    questions: [
      choose('Who may open the pool?', 'The lifeguard on duty', 'Any colleague', 'The first guest'),
      yesOrNo('The rescue hook hangs within reach of the water.', true),
    ],
  },
  {
    name: 'Welcoming guests',
    status: 'in_design',
    ageDays: 8,
    settings: { passMark: 50 },
    questions: [yesOrNo('A guest who waits is greeted within a minute.', true)],
  },
];
