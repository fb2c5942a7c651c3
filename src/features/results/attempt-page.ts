import { buffer } from 'node:stream/consumers';
import { plainName } from '../../directory/names.ts';
import { countOf, isBlank, joinSaid, named, phraseList, say, shortName, shortText } from '../../domain/said.ts';
import { nameOrId, respondentName, shortRespondentName } from '../../domain/record-names.ts';
import { roundedPoints } from '../../domain/result.ts';
import type { OperationContext } from '../../operations/context.ts';
import { defineOperation } from '../../operations/operation.ts';
import { formStep, pageOf, pageSteps, runStep, type Fact, type Page } from '../../operations/page.ts';
import type { OutgoingFile } from '../../operations/services/files.ts';
import { InvalidInputError, readPage } from '../../operations/text-input.ts';
import { outcomeHeading, resultFacts } from '../../operations/wording/result-words.ts';
import type { DownloadedFile } from '../../quiz-api/download.ts';
import { failedFor, isNotFound } from '../../quiz-api/errors.ts';
import type { Quiz } from '../../quiz-api/records.ts';
import type { Question, QuestionOption, QuizResponse } from '../../quiz-api/responses.ts';
import { moment } from '../../time/date-words.ts';
import { deleteResponse, findAttempt, quizField, responseField, withoutPersonalData } from './attempt.ts';
import { resultOf } from './respondents.ts';

interface Attempt {
  quiz: Quiz;
  /** Without the fields that the reader may not see. */
  response: QuizResponse;
  questions: readonly Question[];
  /** Of the questions, from 1. */
  page: number;
}

/** Of each kind, a page has no more. */
const registrationFieldsAtMost = 30;
const filesAtMost = 20;

/** One attempt in full. Send it only to the person who asked. */
export function attemptPage({ quiz, response, questions, page }: Attempt): Page {
  const input = { quiz: [quiz.quiz_id], response: [response.response_id] };
  const result = resultOf(response);
  const lines = questions.map((question, index) => answeredQuestion(question, index + 1));
  const { shown, ...pages } = pageOf(lines, page);
  const files = questions.flatMap((question) => question.files).slice(0, filesAtMost);
  return {
    heading: attemptHeading(response, quiz),
    parts: [
      { facts: result ? resultFacts(result) : [] },
      { facts: [...registrationFacts(response), ...personalFacts(response)] },
      { lines: shown },
    ],
    steps: [
      ...pageSteps({ name: 'show-attempt' }, input, pages),
      ...files.map(({ file_id, name }) =>
        runStep(say`📎 Get ${shortName(nameOrId('file', name, file_id), 50)}`, sendFiles, {
          ...input,
          file: [file_id],
        }),
      ),
      { label: say`Certificate`, url: response.certificate_url },
      { label: say`Report`, url: response.response_report_url },
      { ...formStep(say`Delete…`, deleteResponse, input), style: 'danger' },
    ],
    notes: [response.date_submitted ? say`Submitted ${moment(response.date_submitted)}` : undefined],
  };
}

function attemptHeading(response: QuizResponse, quiz: Quiz): string {
  const person = shortRespondentName(response);
  const name = shortName(quiz.name);
  if (response.outcome !== null) return outcomeHeading(response.outcome, person, name);
  if (response.status === 'not_started') return say`⏳ *${person}* hasn’t started *${name}*`;
  if (response.status === 'not_submitted') return say`⏳ *${person}* has started *${name}* but not submitted it`;
  return say`⏳ *${person}* hasn’t submitted *${name}*`;
}

function registrationFacts({ registration_fields }: QuizResponse): Fact[] {
  return registration_fields
    .slice(0, registrationFieldsAtMost)
    .map(({ name, value }) => [
      shortName(nameOrId('field', name), 80),
      isBlank(value) ? say`Left empty` : shortName(value, longestFact),
    ]);
}

function personalFacts({ email_address, user_name, ip_address, access_code }: QuizResponse): Fact[] {
  return [
    [say`E-mail address`, shortName(email_address, longestFact)],
    [say`User name`, shortName(user_name ?? '', longestFact)],
    [say`IP address`, shortName(ip_address, longestFact)],
    [say`Access code`, shortName(access_code, longestFact)],
  ];
}

/** In UTF-16 units. */
const longestFact = 250;

/** Longest parts of a question, in characters as they are sent. Together they fit into one section. */
const longestText = 400;
const longestTyped = 1_500;
const longestChoice = 400;
const longestFiles = 300;
const longestKind = 200;

/** A question with the respondent’s answer, and the right answer if points were lost. */
export function answeredQuestion(question: Question, number: number): string {
  const { question_id, text, points_scored, points_available, files } = question;
  const heading = say`${signOf(question)} *${number}. ${shortText(nameOrId('question', text, question_id), longestText)}*`;
  const points =
    points_available === 0 ? [] : [say`${roundedPoints(points_scored)} of ${roundedPoints(points_available)}`];
  const right = rightAnswers(question);
  const lines = [
    joinSaid([heading, ...points], ' · '),
    ...kindLine(question),
    ...answerLines(question),
    right ? say`↳ Right: ${shortText(right, longestChoice)}` : undefined,
    files.length > 0 &&
      say`↳ 📎 ${shortText(files.map(({ name, file_id }) => nameOrId('file', name, file_id)).join(', '), longestFiles)}`,
  ];
  return joinSaid([...lines, ''], '\n');
}

/** Questions without points, such as essays and uploads, are neither right nor wrong. */
function signOf({ points_scored, points_available }: Question): string {
  if (points_available === 0) return '📝';
  if (points_scored >= points_available) return '✅';
  return points_scored > 0 ? '🟡' : '❌';
}

const typeWords: Readonly<Record<string, string>> = {
  radio_button: say`Single choice`,
  checkbox: say`Checkbox`,
  free_text: say`Free text`,
  dropdown: say`Dropdown`,
  essay: say`Essay`,
  file_upload: say`File upload`,
};

/** A type that the bot doesn’t know is shown as the service writes it. */
function wordsOf(type: string): string {
  const asWritten = type.replaceAll('_', ' ');
  return typeWords[type] ?? asWritten.charAt(0).toUpperCase() + asWritten.slice(1);
}

/** The question's type and categories. */
function kindLine({ type, categories }: Question): string[] {
  const parts = [
    wordsOf(type),
    ...categories.map(({ name, category_id }) => nameOrId('category', name, category_id)),
  ].filter((part) => part.trim() !== '');
  return parts.length === 0 ? [] : [say`${shortText(parts.join(' · '), longestKind)}`];
}

/** An option with the points it gives, where options have points of their own. */
function optionText({ use_option_points }: Question, option: QuestionOption): string {
  const { option_id, option_points_available } = option;
  const text = nameOrId('option', option.text, option_id);
  return use_option_points ? `${text} (${countOf(roundedPoints(option_points_available), 'point', 'points')})` : text;
}

/**
 * What the respondent chose and typed: text, choice and answer of each option by itself (specification 2.3). The service may
 * repeat a typed answer in every option.
 */
function answerLines(question: Question): string[] {
  const { options, files } = question;
  const answered = options.filter(({ answer }) => !isBlank(answer));
  const answers = new Set(answered.map(({ answer }) => answer));
  const isRepeated = answers.size === 1 && answered.length === options.length;
  const chosen = options.filter((option) => option.selected && !isOnlyTyped(option));
  const choices = chosen.map((option) => (isRepeated ? optionText(question, option) : withAnswer(question, option)));
  const others = answered.filter((option) => !chosen.includes(option));
  const typed = isRepeated
    ? [...answers]
    : others.map((option) => (answers.size > 1 ? withAnswer(question, option) : option.answer));
  const lines = [
    ...(choices.length > 0 ? [say`↳ Chose: ${shortText(choices.join('; '), longestChoice)}`] : []),
    ...(typed.length > 0 ? [say`↳ Answered: ${shortText(typed.join('; '), longestTyped)}`] : []),
  ];
  return lines.length > 0 || files.length > 0 ? lines : [say`↳ No answer`];
}

/** Whether an option only says what was typed: it has no other text, or the accepted text that the answer matched. */
function isOnlyTyped({ text, answer }: QuestionOption): boolean {
  return !isBlank(answer) && (isBlank(text) || plainName(text) === plainName(answer));
}

/** Such as `Other: a wet floor`. */
function withAnswer(question: Question, option: QuestionOption): string {
  if (isBlank(option.answer)) return optionText(question, option);
  return isOnlyTyped(option) ? option.answer : `${optionText(question, option)}: ${option.answer}`;
}

function rightAnswers(question: Question): string {
  const { options, points_scored, points_available } = question;
  if (points_scored >= points_available) return '';
  return options
    .filter(({ correct }) => correct)
    .map((option) => optionText(question, option))
    .join('; ');
}

export const showAttempt = defineOperation({
  name: 'show-attempt',
  command: '/quiz attempt <quiz> of <response>',
  synonyms: ['answers', 'answer', 'response'],
  summary: 'Show someone’s attempt, with each question, their answer and the right one',
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'Show',
  fields: {
    quiz: quizField,
    response: responseField,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run(context, { quiz, response: typed, page }) {
    const response = await findAttempt(context, quiz, typed);
    const questions = await context.api.responses.questions(quiz.quiz_id, response.response_id, context.call);
    const shown = context.visibility.addressesIn(quiz) ? response : withoutPersonalData(response);
    return {
      kind: 'page',
      ...attemptPage({ quiz, response: shown, questions, page: readPage(page) }),
    };
  },
});

export const sendFiles = defineOperation({
  name: 'send-files',
  command: '/quiz files <quiz> of <response>',
  summary: 'Get the files someone uploaded in an attempt, in a direct message',
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'Send files',
  fields: {
    quiz: quizField,
    response: responseField,
    file: {
      kind: 'text',
      label: 'File',
      hint: 'Its name. Leave it empty for all files.',
      maxLength: 250,
      optional: true,
    },
  },
  async run(context, { quiz, response: typed, file }) {
    const response = await findAttempt(context, quiz, typed);
    const files = wantedFiles(
      await context.api.responses.questions(quiz.quiz_id, response.response_id, context.call),
      file,
    );
    const sent: string[] = [];
    const problems: string[] = [];
    for (const one of files) {
      const problem = await sendUploadedFile(context, response, one);
      if (problem === undefined) sent.push(named(one.name));
      else problems.push(problem);
    }
    if (sent.length === 0) throw new InvalidInputError('file', problems.join(' '));
    return {
      kind: 'done',
      message: say`Sent you ${phraseList(sent)} from ${named(respondentName(response))} in a direct message.`,
      problems,
    };
  },
});

type UploadedFile = Question['files'][number];

/** All files of an attempt, or the file with this id or name. */
function wantedFiles(questions: readonly Question[], wanted: string | undefined): UploadedFile[] {
  const files = questions.flatMap((question) => question.files);
  const matches = ({ file_id, name }: UploadedFile) =>
    wanted === undefined || file_id === wanted || plainName(name) === plainName(wanted);
  const found = files.filter(matches);
  if (found.length > 0) return found;
  throw new InvalidInputError(
    'file',
    files.length === 0
      ? say`This attempt has no uploaded files.`
      : say`This attempt has no file called ${named(wanted ?? '')}.`,
  );
}

const mostMebibytes = 25;
/** Added to the deadline: a file takes longer than other answers. */
const transferMs = 60_000;

/** Sends the person a file that a respondent uploaded. @returns why it cannot be sent, or undefined once it is */
async function sendUploadedFile(
  context: OperationContext,
  response: QuizResponse,
  file: UploadedFile,
): Promise<string | undefined> {
  const { quiz_id, response_id } = response;
  const { deadline } = context.call;
  try {
    const download = await context.api.responses.file(quiz_id, response_id, file.file_id, {
      ...context.call,
      deadline: deadline === undefined ? undefined : deadline + transferMs,
      maxBytes: mostMebibytes * 1024 * 1024,
    });
    const content = await contentOf(download);
    if (content === undefined) return say`${named(file.name)} is empty.`;
    await context.sendFile({
      name: file.name || 'upload',
      comment: say`Uploaded by ${respondentName(response)} for “${nameOrId('quiz', response.quiz_name, response.quiz_id)}”`,
      content,
    });
    return undefined;
  } catch (error) {
    if (failedFor(error, 'file too large'))
      return say`${named(file.name)} is larger than ${mostMebibytes} MB. Download it from the quiz service.`;
    if (isNotFound(error)) return say`${named(file.name)} is no longer in the quiz service.`;
    throw error;
  }
}

/** The length of a file has to be known before it is sent. */
async function contentOf({ stream, contentLength }: DownloadedFile): Promise<OutgoingFile['content'] | undefined> {
  if (contentLength !== null && contentLength > 0) return { stream, length: contentLength };
  const whole = await buffer(stream);
  return whole.length === 0 ? undefined : whole;
}
