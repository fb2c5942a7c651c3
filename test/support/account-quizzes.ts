import {
  choose,
  right,
  type SampleQuiz,
  sampleQuizzes,
  several,
  wrong,
  yesOrNo,
} from '../../src/sandbox/quiz-service/sample/quizzes.ts';

const hostileQuiz: SampleQuiz = {
  name: '<!channel> & <https://x|y>',
  status: 'open',
  ageDays: 60,
  settings: { pass_mark: 50 },
  questions: [
    choose('Which character starts an entity in HTML?', '&', '<', '"'),
    yesOrNo('<b>Markup</b> in a question is shown, not obeyed.', true),
    several(2, 'Which of these must be escaped in a message?', right('&'), right('<'), right('>'), wrong('?')),
  ],
};

/** The quizzes of the sandbox, and one whose name and questions contain markup. */
export const accountQuizzes: readonly SampleQuiz[] = sampleQuizzes.toSpliced(4, 0, hostileQuiz);
