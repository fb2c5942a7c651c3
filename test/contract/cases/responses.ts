import { type Call, type Case, call, answer, file, refusal, someOf, success } from '../expectation.ts';
import { anyLink, anyResponse, anyText, category, noResult, question, response } from '../resources.ts';

const onboarding = 'Onboarding, week 1';
const fileName = 'code-of-conduct-signed.txt';

const rosas = {
  quiz_name: onboarding,
  first_name: 'Rosa',
  last_name: 'Almeida',
  email_address: 'rosa@quiz.example',
  user_name: 'rosa@quiz.example',
  available_points: 6,
  status: 'submitted',
  publish_type: 'assigned_user',
};

/** Specification, section 4.2. */
export const responseCases: Case[] = [
  {
    ...responsesAre({ isRosasGone: false }),
    title: 'returns submitted and unsubmitted responses in the order of their start',
  },
  {
    operation: 'Get all responses',
    title: 'returns an empty list for a quiz without responses',
    given: ({ quizId }) => ({ quiz_id: quizId('First aid at work') }),
    expected: () => answer([]),
  },
  {
    operation: 'Get a response',
    title: 'returns a response of a user',
    given: ({ upload }) => ({ quiz_id: upload.quiz_id, response_id: upload.response_id }),
    expected: ({ upload, userId }) =>
      answer(
        response({
          ...rosas,
          quiz_id: upload.quiz_id,
          response_id: upload.response_id,
          user_id: userId('rosa@quiz.example'),
        }),
      ),
  },
  {
    operation: 'Get a response',
    title: 'returns a response of a guest',
    given: ({ ofGuest }) => ofGuest,
    expected: ({ ofGuest }) =>
      answer(
        response({ ...ofGuest, user_id: null, user_name: null, publish_type: 'quiz_link', access_code: 'WELCOME-26' }),
      ),
  },
  {
    operation: 'Get a response',
    title: 'returns an unsubmitted response without date and points',
    given: ({ unsubmitted }) => unsubmitted,
    expected: ({ unsubmitted }) => answer(response({ ...unsubmitted, ...noResult, status: 'not_submitted' })),
  },
  {
    operation: 'Get a response',
    title: 'returns a response that is not started',
    given: ({ unstarted }) => unstarted,
    expected: ({ unstarted }) =>
      answer(
        response({
          ...unstarted,
          ...noResult,
          status: 'not_started',
          user_id: null,
          user_name: null,
          publish_type: 'quiz_link',
        }),
      ),
  },
  {
    operation: 'Get a response',
    title: 'returns the registration fields',
    given: ({ registered }) => registered,
    expected: ({ registered }) =>
      answer(
        response({
          ...registered,
          user_id: null,
          user_name: null,
          publish_type: 'quiz_link',
          response_report_url: anyLink,
          registration_fields: [
            { name: 'Department', value: anyText },
            { name: 'Employee number', value: anyText },
          ],
        }),
      ),
  },
  {
    operation: 'Get a response',
    title: 'returns the links to certificate and report if they exist',
    given: ({ certified }) => certified,
    expected: ({ certified }) =>
      answer(response({ ...certified, pass: true, certificate_url: anyLink, response_report_url: anyLink })),
  },
  {
    operation: 'Delete a response',
    title: 'deletes only the response and its file',
    given: ({ upload }) => ({ quiz_id: upload.quiz_id, response_id: upload.response_id }),
    expected: () => success,
    afterwards: [
      call(
        'Get an uploaded file',
        ({ upload }) => upload,
        () => refusal('not found'),
      ),
      responsesAre({ isRosasGone: true }),
    ],
  },
  {
    operation: "Get a response's questions",
    title: 'returns the questions with answers and files',
    given: ({ upload }) => ({ quiz_id: upload.quiz_id, response_id: upload.response_id }),
    expected: ({ upload }) =>
      answer([
        question({ type: 'radio_button', use_option_points: true, points_available: 3 }),
        question({ type: 'radio_button', use_option_points: true, points_available: 2 }),
        question({ type: 'radio_button', points_available: 1 }),
        question({
          type: 'file_upload',
          text: 'Upload your signed code of conduct.',
          points_available: 0,
          options: [],
          files: [{ file_id: upload.file_id, name: fileName }],
        }),
      ]),
  },
  {
    operation: "Get a response's questions",
    title: 'returns the categories',
    given: ({ certified }) => certified,
    expected: () => answer(someOf(question({ categories: [category()] }))),
  },
  {
    operation: 'Get an uploaded file',
    title: 'returns the content of the file',
    given: ({ upload }) => upload,
    expected: () =>
      file({
        name: fileName,
        contentType: 'text/plain',
        content: 'I have read the code of conduct.\n\nRosa Almeida\n',
      }),
  },
  ...(['Get a response', 'Delete a response', "Get a response's questions"] as const).map((operation): Case => ({
    operation,
    title: 'refuses a response of another quiz',
    given: ({ upload, quizId }) => ({ response_id: upload.response_id, quiz_id: quizId('Forklift theory test') }),
    expected: () => refusal('not found'),
    afterwards: [responsesAre({ isRosasGone: false })],
  })),
  {
    operation: 'Get an uploaded file',
    title: 'refuses a file of another response',
    given: ({ upload, responseIds }) => ({ ...upload, response_id: responseIds(upload.quiz_id)[0] ?? '' }),
    expected: () => refusal('not found'),
  },
];

/** Expects the sample responses to the onboarding quiz, without Rosa's if it was deleted. */
function responsesAre({ isRosasGone }: { isRosasGone: boolean }): Call {
  return call(
    'Get all responses',
    ({ upload }) => ({ quiz_id: upload.quiz_id }),
    ({ upload, responseIds }) => {
      const ids = responseIds(upload.quiz_id).filter((id) => !isRosasGone || id !== upload.response_id);
      return answer(ids.map(anyResponse));
    },
  );
}
